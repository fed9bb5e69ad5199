import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createKit, currentWaybill } from '@waybill/core'
import { expect, test } from 'vitest'
import { expressWaybill } from './express.js'

test('smoke', async () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  const app = express()
  app.use(expressWaybill(kit))
  app.use(express.json())
  app.post('/', (req, res) => {
    res.json({ clk: currentWaybill().clk, body: req.body as unknown })
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reply = await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`, {
    method: 'POST',
    headers: { clk: 'alice', 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  expect(await reply.json()).toEqual({ clk: 'alice', body: { a: 1 } })
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  server.close()
})

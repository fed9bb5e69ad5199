import { Agent, createServer } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createKit, currentWaybill } from '@waybill/core'
import { expect, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { waybillListener } from './index.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

const isAlive = (ref: WeakRef<object>): boolean => ref.deref() !== undefined
const alive = (refs: Iterable<WeakRef<object>>): number => [...refs].filter(isAlive).length

/** A minute's timer, made where nothing of the request is in reach. */
function startTimer(): NodeJS.Timeout {
  return setTimeout(() => {}, 60_000)
}

test('context nestjs/throttler#2629 a waiting timer keeps its waybill alone: request, headers, reply and socket are collected', async () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  const timers: NodeJS.Timeout[] = []
  const requests: WeakRef<object>[] = []
  const headersOf: WeakRef<object>[] = []
  const replies: WeakRef<object>[] = []
  const sockets = new Set<WeakRef<object>>()
  const waybills: WeakRef<object>[] = []
  const port = await listen(
    createServer(
      waybillListener(kit, (req, res) => {
        requests.push(new WeakRef(req))
        headersOf.push(new WeakRef(req.headers))
        replies.push(new WeakRef(res))
        sockets.add(new WeakRef(req.socket))
        waybills.push(new WeakRef(currentWaybill()))
        // Until a waybill is looked at it holds the headers to read them.
        void currentWaybill().clk
        timers.push(startTimer())
        req.resume().on('end', () => res.end('ok'))
      }),
    ),
  )
  // Untagged and tagged, which hook the reply and hold notes; with a body and without; 50 to a connection.
  for (let round = 0; round < 20; round++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let count = 0; count < 50; count++) {
      const headers: Record<string, string> = count % 2 === 0 ? {} : { clk: 'me', 'waybill-explain': '1' }
      await (count % 3 === 0
        ? send(port, { agent, headers, method: 'POST' }, 'body')
        : send(port, { agent, headers }))
    }
    agent.destroy()
  }
  for (
    let tries = 0;
    tries < 20 && [...requests, ...headersOf, ...replies, ...sockets].some(isAlive);
    tries++
  ) {
    await after(20)
    gc()
  }
  expect([requests, headersOf, replies, sockets].map(alive)).toEqual([0, 0, 0, 0])
  expect(requests).toHaveLength(1000)
  expect(alive(waybills)).toBe(1000)
  for (const timer of timers) clearTimeout(timer)
}, 60_000)

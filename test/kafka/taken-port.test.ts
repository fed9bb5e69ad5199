import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { startBroker } from '@waybill/servers/kafka'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePorts } from '../servers/machine/free-ports.mjs'
import { aTopic } from './a-topic.js'
import { client } from './client.js'

vi.mock(import('../servers/machine/free-ports.mjs'), async (original) => {
  const { freePorts } = await original()
  return { freePorts: vi.fn(freePorts) }
})

test('a port that somebody took before the broker could is left to them', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const controllerPort = await freePorts(1)
  vi.mocked(freePorts).mockResolvedValueOnce([port, ...controllerPort])

  const broker = await startBroker()
  onTestFinished(() => broker.stop())
  expect(broker.brokers).not.toEqual([`127.0.0.1:${String(port)}`])
  expect(await aTopic(client(broker.brokers))).toMatch(/^topic-/)
})

import { performCall } from '@waybill/core/adapter'
import type { Call } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { testKit } from './test-kit.js'

test('a test names its instances and sees who would be called', async () => {
  const kit = testKit({
    instances: [
      { service: 'inventory', host: '127.0.0.1', port: 3001, zone: 'az-ci' },
      { service: 'inventory', host: '127.0.0.1', port: 3002, clks: 'alice' },
    ],
  })
  const portOf = async (clk?: string): Promise<number | undefined> => {
    const calls: Call[] = []
    const outgoing = {
      kind: 'http' as const,
      url: new URL('http://inventory/stock'),
      method: 'GET',
      headers: () => undefined,
      body: 'none' as const,
      idempotent: true,
    }
    const send = async (call: Call) => {
      calls.push(call)
      return { status: 200, header: () => undefined, value: 'ok', done: Promise.resolve() }
    }
    await withWaybill(clk === undefined ? {} : { clk }, () => performCall(kit, outgoing, send))
    return calls[0]?.target?.port
  }
  expect([await portOf(), await portOf('alice'), await portOf('bob')]).toEqual([3001, 3002, 3001])
})

test('a mistake in an instance names its field', () => {
  expect(() => testKit({ instances: [{ service: 'inventory', host: '127.0.0.1', port: 0 }] })).toThrow(/port/)
})

import assert from 'node:assert/strict'
import type { Interceptor } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound } from '../../stage/outbound-stage.js'
import { farServer, type Answer, type FarServer } from '../../wire/far-server.js'

const ROUNDS = 5
const TOGETHER = 8

export const connectionPerTarget: Law<'connection-per-target', OutboundHalf> = {
  name: 'connection-per-target',
  title: 'tagged and untagged calls in turn over keep-alive never use a connection opened for another target',
  async holds(half) {
    const servers = await Promise.all(['alice', 'bob', 'az-ci'].map((name) => farServer(named(name))))
    const [alice, bob, azCi] = servers as [FarServer, FarServer, FarServer]
    const byTag = new Map([
      ['alice', alice],
      ['bob', bob],
    ])
    /** Untagged calls of the bare name go to az-ci; those of the address have no target and are the client’s own. */
    const choosing: Interceptor = (next) => (call) => {
      const chosen = byTag.get(call.waybill.clk ?? '') ?? (call.url?.hostname === 'far' ? azCi : undefined)
      if (chosen === undefined) return next(call)
      return next({ ...call, target: { host: '127.0.0.1', port: chosen.port, tls: false } })
    }
    try {
      await withOutbound(
        half,
        { answer: named('own'), kit: { interceptors: [choosing] } },
        async ({ call, far }) => {
          const ask = async (clk: string | undefined, url: string, expected: string): Promise<void> => {
            const { text } = await withWaybill(clk === undefined ? {} : { clk }, () => call({ url }))
            assert.equal(
              text,
              expected,
              `${clk ?? 'untagged'} at ${url.includes('far') ? 'the name' : 'the address'}`,
            )
          }
          const each = (url: string, untagged: string): Promise<void>[] => [
            ask('alice', url, 'alice'),
            ask(undefined, url, untagged),
            ask('bob', url, 'bob'),
            ask(undefined, url, untagged),
          ]
          for (let round = 0; round < ROUNDS; round++) {
            for (const [url, untagged] of [
              ['http://far/', 'az-ci'],
              [`${far.origin}/`, 'own'],
            ] as const) {
              await ask('alice', url, 'alice')
              await ask(undefined, url, untagged)
              await ask('bob', url, 'bob')
              await ask(undefined, url, untagged)
            }
          }
          const together = Array.from({ length: TOGETHER }, () => [
            ...each('http://far/', 'az-ci'),
            ...each(`${far.origin}/`, 'own'),
          ])
          await Promise.all(together.flat())
        },
      )
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  },
}

function named(name: string): Answer {
  return (_heard, response) => response.end(name)
}

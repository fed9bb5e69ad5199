import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { subscribe } from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withInbound } from '../../stage/inbound-stage.js'
import { catchUncaught } from '../../stage/uncaught.js'

const REQUESTS = [
  { headers: [['clk', 'alice']], source: 'header' },
  { headers: [['baggage', 'clk=alice']], source: 'baggage' },
  { headers: [], source: 'none' },
  { headers: [['clk', 'alice']], method: 'POST', body: ['a ', 'body'], source: 'header' },
  { headers: [['clk', 'alice']], path: '/fails', source: 'header' },
] as const

function handler(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/fails') throw new Error('fails')
  response.end(clkHere() ?? 'untagged')
}

export const publishedOnce: Law<'published-once', InboundHalf> = {
  name: 'published-once',
  title: 'each adoption is published once, and a throwing subscriber changes no request',
  async holds(half) {
    await withInbound(half, { handler }, async ({ kit, send }) => {
      for (const { source, ...request } of REQUESTS) {
        const events = recordEvents(['adopted', 'dropped', 'conflict'])
        try {
          const before = kit.counters.adopted
          await send(request)
          assert.deepEqual(
            events.all.map(({ name }) => name),
            ['adopted'],
          )
          assert.equal(events.of('adopted')[0]?.source, source)
          assert.equal(kit.counters.adopted, before + 1, 'and counted once')
        } finally {
          events.stop()
        }
      }
      const caught = await catchUncaught(async () => {
        const stop = subscribe('adopted', () => {
          throw new Error('a subscriber')
        })
        try {
          const { status, text } = await send({ headers: [['clk', 'alice']] })
          assert.deepEqual({ status, text }, { status: 200, text: 'alice' })
        } finally {
          stop()
        }
      })
      assert.equal(caught.length, 1, 'the subscriber’s error is the process’s')
    })
  },
}

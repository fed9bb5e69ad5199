import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withInbound } from '../../stage/inbound-stage.js'

const SENT = [
  ['X-Mine', '1'],
  ['Authorization', 'Bearer token'],
  ['Clk', 'alice'],
  ['Clk', 'alice'],
  ['X-Shard-Key', 'k%C3%A4se'],
  ['Baggage', 'vendor=a;p=1, other=b%20c'],
  ['baggage', 'clk=alice'],
] as const

/** What application code finds in a request and puts into a reply. */
function handler(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('x-theirs', ['1', '2'])
  response.writeHead(201, { etag: '"v1"', vary: 'accept' })
  const { headers, rawHeaders, headersDistinct } = request
  // Connection headers are the client's of this suite, equal on both ways.
  response.end(JSON.stringify({ headers, rawHeaders, headersDistinct }))
}

export const ownHeaders: Law<'own-headers', InboundHalf> = {
  name: 'own-headers',
  title: 'the application finds every header as it came, and its reply leaves with every header it set',
  async holds(half) {
    const seen: unknown[] = []
    for (const bare of [true, false]) {
      await withInbound(half, { handler, bare }, async ({ port, send }) => {
        for (const inbound of [{}, { method: 'POST', body: ['text'] }]) {
          const { status, text, header } = await send({ ...inbound, headers: SENT })
          assert.deepEqual(
            { status, theirs: header('x-theirs'), etag: header('etag'), vary: header('vary') },
            { status: 201, theirs: '1, 2', etag: '"v1"', vary: 'accept' },
          )
          seen.push(JSON.parse(text.replaceAll(String(port), 'port')))
        }
      })
    }
    const half_ = seen.length / 2
    assert.deepEqual(
      seen.slice(half_),
      seen.slice(0, half_),
      'the request’s headers are those of the bare host',
    )
  },
}

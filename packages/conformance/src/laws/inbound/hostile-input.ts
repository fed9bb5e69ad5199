import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { droppedBy } from '../../stage/dropped.js'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { factsHere, type FactsHere } from '../../stage/facts-here.js'
import { withInbound } from '../../stage/inbound-stage.js'
import { hostileHeaders } from '../hostile-headers.js'

export const hostileInput: Law<'hostile-input', InboundHalf> = {
  name: 'hostile-input',
  title:
    'malformed, oversized, duplicated and hostile input is dropped and counted, and the request goes through',
  async holds(half) {
    let seen: FactsHere | undefined
    const handler = (_request: IncomingMessage, response: ServerResponse): void => {
      seen = factsHere()
      response.end('ok')
    }
    await withInbound(half, { handler }, async ({ kit, send }) => {
      for (const { title, headers, dropped, read } of hostileHeaders) {
        const before = droppedBy(kit)
        const { status, text } = await send({ headers })
        assert.deepEqual({ status, text }, { status: 200, text: 'ok' }, title)
        assert.deepEqual(seen, read, title)
        assert.deepEqual(droppedBy(kit, before), dropped, title)
      }
    })
    await withInbound(half, { handler, inbound: 'public' }, async ({ kit, send }) => {
      await send({
        headers: [
          ['clk', 'mallory'],
          ['x-shard-key', '1'],
          ['baggage', '%63lk=mallory'],
        ],
      })
      assert.deepEqual(seen, {})
      assert.deepEqual(droppedBy(kit), { UNTRUSTED: 2 }, 'what a stranger says is counted')
    })
    assert.deepEqual(Object.keys(Object.prototype), [], 'Object.prototype has nothing from outside')
  },
}

import assert from 'node:assert/strict'
import { adopt, carrierOf } from '@waybill/core/adapter'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import type { PlainMessage, StoredMessage } from '../../message/plain-broker.js'
import { withProducing } from '../../stage/producing-stage.js'

const ROUNDS = 20

export const handedOn: Law<'handed-on', ProducingHalf> = {
  name: 'handed-on',
  title:
    'a message that is handed on with its headers, round a retry topic, keeps its depth and their number',
  async holds(half) {
    await withProducing(half, {}, async ({ kit, topic, send, read }) => {
      const baggage = 'clk=alice,waybill-depth=3,vendor=1'
      let message: PlainMessage = { key: 'a', value: 'one', headers: { mine: '1', baggage } }
      for (let round = 1; round <= ROUNDS; round++) {
        const arrival = { kind: 'message', topic, inbound: 'peer' } as const
        const nobody = { peer: undefined, method: undefined, url: undefined }
        const adopted = adopt(kit, { ...arrival, ...nobody, carrier: carrierOf(message.headers) })
        await adopted.run(() => send([message]))
        const stored = (await read(round)).at(-1)
        assert.ok(stored)
        assert.deepEqual(stored.lines('baggage'), [baggage], `round ${String(round)}: as it came`)
        assert.equal(stored.rawHeaders.length, 4, `round ${String(round)}: no header more`)
        message = { key: 'a', value: 'one', headers: asRead(stored) }
      }
    })
  },
}

/** The headers as a consumer would get them, Buffers. */
function asRead({ rawHeaders }: StoredMessage): Record<string, Buffer> {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, Buffer.from(rawHeaders[index + 1] ?? '', 'latin1')] as const] : [],
  )
  return Object.fromEntries(pairs)
}

import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import { withProducing, type ProducingStage } from '../../stage/producing-stage.js'
import { whileDisabled } from '../../stage/while-disabled.js'

const MESSAGES = [
  { key: 'a', value: 'one' },
  { key: 'a', value: null, headers: { mine: '1', clk: 'mine', baggage: 'vendor=1,clk=mine' } },
]

/** The records of a few sends, as they lie in the topic behind the first `before`. */
async function traffic({ send, read }: ProducingStage, before: number): Promise<unknown> {
  await send(MESSAGES)
  await withWaybill({ clk: 'alice' }, () => send(MESSAGES))
  const stored = await read(before + 2 * MESSAGES.length)
  return stored.slice(before).map(({ key, value, rawHeaders }) => ({ key, value, rawHeaders }))
}

export const disabledIdentity: Law<'disabled-identity', ProducingHalf> = {
  name: 'disabled-identity',
  title: 'disabled, the adapter is the identity',
  async holds(half) {
    let bare: unknown
    await withProducing(half, { bare: true }, async (stage) => {
      bare = await traffic(stage, 0)
    })
    await whileDisabled<ProducingStage>(
      (kit, act) => withProducing(half, { kit }, act),
      ({ send }) => send(MESSAGES),
      async (stage, when) => {
        const seen = await traffic(stage, when === 'later' ? MESSAGES.length : 0)
        assert.deepEqual(seen, bare, `disabled ${when}: the records of the bare host`)
      },
    )
  },
}

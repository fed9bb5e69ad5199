import assert from 'node:assert/strict'
import { expectCarried, withWaybill, type WaybillFields } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import type { PlainMessage } from '../../message/plain-broker.js'
import { withProducing } from '../../stage/producing-stage.js'
import { namesOfOurs } from '../../wire/names-of-ours.js'

const FIELDS = { lawTenant: { baggage: 'law-tenant' }, lawNote: {} }
const TAGGED: WaybillFields = {
  clk: 'alice',
  shardKey: '泳道',
  hopCount: 1,
  targetUnit: 'sz',
  depth: 2,
  fields: { lawTenant: 'acme', lawNote: 'secret' },
}
/** `baggage` alone: each header of a record costs its encoding. */
const WRITTEN = ['clk', 'shard-key', 'hop-count', 'target-unit', 'waybill-depth', 'law-tenant']

const MESSAGES: readonly PlainMessage[] = [
  { key: 'a', value: 'one' },
  { key: 'a', value: null },
  { key: 'a', value: 'three', headers: { mine: '1' } },
  { key: 'a', value: 'four', headers: { baggage: 'vendor=1' } },
]
const ONE: readonly PlainMessage[] = [{ key: 'a', value: 'one' }]

export const carried: Law<'carried', ProducingHalf> = {
  name: 'carried',
  title: 'each message of a send bears its sender’s waybill, and none what may not travel',
  async holds(half) {
    await withProducing(half, { kit: { fields: FIELDS } }, async ({ send, read }) => {
      await withWaybill(TAGGED, () => send(MESSAGES))
      for (const message of await read(MESSAGES.length)) {
        const { clk, shardKey, hopCount, targetUnit, depth } = expectCarried(
          { baggage: message.lines('baggage') },
          {},
        )
        assert.deepEqual(
          { clk, shardKey, hopCount, targetUnit, depth },
          { clk: 'alice', shardKey: '泳道', hopCount: 1, targetUnit: 'sz', depth: 3 },
          'a tagged message bears its waybill, one hop deeper',
        )
        assert.deepEqual(namesOfOurs(message), WRITTEN, 'every fact once, a declared field too')
        assert.ok(!message.rawHeaders.join().includes('secret'), 'a local field does not travel')
      }
    })
    await withProducing(half, {}, async ({ send, read }) => {
      await withWaybill({}, () => send(ONE))
      await send(ONE)
      for (const message of await read(2)) {
        assert.deepEqual(namesOfOurs(message), ['waybill-depth'], 'an untagged one bears its depth alone')
      }
    })
    await withProducing(half, { kit: { clks: 'me' } }, async ({ send, read }) => {
      await send(ONE)
      await withWaybill({}, () => send(ONE))
      const [outside, untagged] = await read(2)
      assert.deepEqual(outside?.lines('baggage'), ['clk=me,waybill-depth=1'], 'sent in no scope')
      assert.deepEqual(untagged?.lines('baggage'), ['waybill-depth=1'], 'sent by an untagged request')
    })
    await withProducing(half, { strange: true }, async ({ send, read }) => {
      await withWaybill(TAGGED, () => send(MESSAGES))
      for (const message of await read(MESSAGES.length)) {
        assert.deepEqual(namesOfOurs(message), [], 'a topic that is not believed gets no waybill')
      }
    })
  },
}

import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import { deepFreeze } from '../../deep-freeze.js'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import { withProducing } from '../../stage/producing-stage.js'

export const frozenInput: Law<'frozen-input', ProducingHalf> = {
  name: 'frozen-input',
  title: 'frozen messages and headers are accepted',
  async holds(half) {
    const messages = deepFreeze([
      { key: 'a', value: 'one' },
      { key: 'a', value: null, headers: { mine: ['1', '2'], clk: 'mallory', baggage: 'vendor=1' } },
    ])
    await withProducing(half, {}, async ({ send, read }) => {
      await assert.doesNotReject(
        withWaybill({ clk: 'alice' }, () => send(messages, true)),
        'what is taken in open is taken in frozen',
      )
      const [one, other] = await read(2)
      assert.deepEqual(one?.lines('baggage'), ['clk=alice,waybill-depth=1'])
      assert.deepEqual(other?.lines('baggage'), ['clk=alice,waybill-depth=1,vendor=1'])
      assert.deepEqual(other.lines('mine'), ['1', '2'])
    })
  },
}

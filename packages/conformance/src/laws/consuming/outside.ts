import assert from 'node:assert/strict'
import { performCall, type Kit } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import { withConsuming } from '../../stage/consuming-stage.js'
import { clkHere } from '../../stage/facts-here.js'

export const outside: Law<'outside', ConsumingHalf> = {
  name: 'outside',
  title:
    'what belongs to no message runs in no scope, never in the one of `run`, and what it sends is told as lost',
  async holds(half) {
    const seen: (string | undefined)[] = []
    const sent: string[] = []
    const sending: Promise<unknown>[] = []
    const aside = (kit: Kit): void => {
      seen.push(clkHere())
      sending.push(
        performCall(kit, { kind: 'message', topic: 'another' }, (_call, { set }) => {
          sent.push(...set.map(([, text]) => text))
          return Promise.resolve({ header: () => undefined, value: undefined, done: Promise.resolve() })
        }),
      )
    }
    const setting = { kit: { trust: { topics: ['*'] } }, handler: () => undefined, aside }
    const events = recordEvents(['lost'])
    try {
      await withWaybill({ clk: 'opener', depth: 5 }, () =>
        withConsuming(half, setting, async ({ kit, deliver }) => {
          await deliver([{ key: 'a', value: 'one', headers: { baggage: 'clk=alice' } }])
          await deliver([{ key: 'a', value: 'two', headers: { baggage: 'clk=bob' } }])
          await Promise.all(sending)
          assert.ok(kit.counters.lost > 0, 'it is counted')
        }),
      )
      assert.ok(seen.length > 0, 'the host calls code that belongs to no message')
      assert.deepEqual([...new Set(seen)], ['none'], 'it runs in no scope')
      assert.deepEqual([...new Set(sent)], ['waybill-depth=1'], 'what it sends bears the root waybill')
      const remedies = events.of('lost').map(({ remedy }) => /#[\w-]+$/.exec(remedy)?.[0])
      assert.ok(remedies.length > 0, 'it is told')
      for (const remedy of remedies)
        assert.notEqual(remedy, '#a-callback-that-somebody-else-calls', 'with its remedy')
    } finally {
      events.stop()
    }
  },
}

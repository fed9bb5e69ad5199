import assert from 'node:assert/strict'
import { bindWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import { clkHere } from '../../stage/facts-here.js'
import { lateCallbacks } from '../../stage/late-callbacks.js'
import { withProducing } from '../../stage/producing-stage.js'

export const lasting: Law<'lasting', ProducingHalf> = {
  name: 'lasting',
  title: 'it holds on the error path, and in late callbacks',
  async holds(half) {
    await withProducing(half, {}, async ({ send, read }) => {
      // Whoever opened the connection gave it her scope; the next send must not see that.
      await withWaybill({ clk: 'opener' }, () => send([{ key: 'a', value: 'opener' }]))
      await withWaybill({ clk: 'alice' }, async () => {
        const refused = send([{ key: 'a', value: 'refused', headers: { mistake: null } }])
        await assert.rejects(refused, 'what the client refuses is refused')
        assert.equal(clkHere(), 'alice', 'who catches an error is in its scope')
        await send([{ key: 'a', value: 'alice' }])
      })
      let bound: () => Promise<unknown> = () => Promise.resolve()
      const late = withWaybill({ clk: 'bob' }, () => {
        bound = bindWaybill(() => send([{ key: 'a', value: 'bob' }]))
        return lateCallbacks(() => send([{ key: 'a', value: 'bob' }]))
      })
      await Promise.all([...late, bound()])
      for (const { value, lines } of await read(2 + late.length + 1)) {
        assert.deepEqual(
          lines('baggage'),
          [`clk=${String(value)},waybill-depth=1`],
          `sent by ${String(value)}`,
        )
      }
    })
  },
}

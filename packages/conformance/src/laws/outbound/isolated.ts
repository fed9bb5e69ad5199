import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withOutbound } from '../../stage/outbound-stage.js'
import type { Answer } from '../../wire/far-server.js'
import { namesOfOurs } from '../../wire/names-of-ours.js'

const CALLS = 100

export const isolated: Law<'isolated', OutboundHalf> = {
  name: 'isolated',
  title: 'a hundred interleaved calls never see each other’s waybill, and after the call there is none',
  async holds(half) {
    const answer: Answer = async (heard, response) => {
      await setTimeout(Number(heard.lines('x-turn')[0]) % 7)
      const [clk] = heard.lines('clk')
      response.end(
        `${clk ?? 'untagged'} ${/shard-key=([^,]*)/.exec(heard.lines('baggage').join())?.[1] ?? ''}`,
      )
    }
    await withOutbound(half, { answer }, async ({ call, far }) => {
      const turns = Array.from({ length: CALLS }, (_, turn) => turn)
      await Promise.all(
        turns.map((turn) => {
          const clk = turn % 3 === 0 ? {} : { clk: `tag-${String(turn)}` }
          return withWaybill({ ...clk, shardKey: String(turn) }, async () => {
            await setTimeout(turn % 5)
            const { text } = await call({ headers: { 'x-turn': String(turn) } })
            assert.equal(
              text,
              `${clk.clk ?? 'untagged'} ${String(turn)}`,
              `call ${String(turn)} bears its own waybill`,
            )
            assert.equal(clkHere(), clk.clk, `the caller of ${String(turn)} is in its own scope`)
          })
        }),
      )
      assert.equal(tryCurrentWaybill(), undefined, 'no call reaches the code around it')
      await call({ headers: { 'x-turn': '0' } })
      const lastHeard = far.heard.at(-1)
      assert.ok(lastHeard)
      assert.deepEqual(
        namesOfOurs(lastHeard),
        ['waybill-depth'],
        'a call in no scope has nothing of earlier calls',
      )
    })
  },
}

import assert from 'node:assert/strict'
import { expectCarried, withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { droppedBy } from '../../stage/dropped.js'
import { withOutbound, type OutboundStage } from '../../stage/outbound-stage.js'
import { farServer, type Answer } from '../../wire/far-server.js'
import { namesOfOurs } from '../../wire/names-of-ours.js'

/** Names of ours as a careless or hostile caller writes them. */
const SMUGGLED = {
  Clk: 'mallory',
  'X-Shard-Key': 'mallory-key',
  'x-hop-count': 'many',
  'waybill-explain': '1',
  Baggage: 'vendor=1,clk=mallory,%63LK=mallory,SHARD-KEY=mallory-key,waybill-depth=0',
}

/** A reply that a host would rather not have sent. */
const answer: Answer = (_heard, response) => {
  response.setHeader('waybill-route', `x=${'\xe9'.repeat(3000)}`)
  response.setHeader('baggage', 'clk=mallory')
  response.setHeader('clk', ['mallory', 'eve'])
  response.end('ok')
}

export const hostileInput: Law<'hostile-input', OutboundHalf> = {
  name: 'hostile-input',
  title:
    'malformed, oversized, duplicated and hostile input is dropped and counted, and the call goes through',
  async holds(half) {
    await withOutbound(half, { answer }, async (stage) => {
      await smuggledInARequest(stage)
      await smuggledToAStranger(stage)
      await saidInNoScope(stage)
      await moreThanFits(stage)
    })
  },
}

/** Inside a request the waybill wins over what the caller's headers say. */
async function smuggledInARequest({ call, far, kit }: OutboundStage): Promise<void> {
  const before = kit.counters.conflicts
  const { text } = await withWaybill({ clk: 'alice' }, () => call({ headers: SMUGGLED }))
  assert.equal(text, 'ok')
  const heard = far.heard.at(-1)
  assert.ok(heard)
  assert.ok(!/mallory|many/.test(heard.rawHeaders.join()), 'no name of ours from the caller is sent')
  assert.deepEqual(heard.lines('clk'), ['alice'])
  assert.ok(heard.lines('baggage').join().includes('vendor=1'), 'foreign members are sent')
  assert.ok(kit.counters.conflicts > before, 'the conflict is counted')
}

async function smuggledToAStranger({ call, kit }: OutboundStage): Promise<void> {
  const stranger = await farServer()
  try {
    const before = droppedBy(kit)
    await withWaybill({ clk: 'alice' }, () => call({ url: `${stranger.origin}/`, headers: SMUGGLED }))
    const heard = stranger.heard.at(-1)
    assert.ok(heard)
    assert.deepEqual(namesOfOurs(heard), [], 'a stranger gets no name of ours')
    assert.deepEqual(heard.lines('baggage'), ['vendor=1'], 'a stranger gets the caller’s own members')
    assert.deepEqual(droppedBy(kit, before), { LEAVES_FLEET: 8 }, 'what may not leave is counted')
  } finally {
    await stranger.close()
  }
}

/** Outside of any request the caller's headers count, where they can be read. */
async function saidInNoScope({ call, far, kit }: OutboundStage): Promise<void> {
  await call({ headers: { clk: 'carol' } })
  assert.deepEqual(far.heard.at(-1)?.lines('clk'), ['carol'])
  const before = droppedBy(kit)
  await call({ headers: { clk: 'not valid!' } })
  assert.deepEqual(far.heard.at(-1)?.lines('clk'), [], 'what cannot be read is not sent')
  assert.deepEqual(droppedBy(kit, before), { INVALID_CLK: 1 })
}

async function moreThanFits({ call, far, kit }: OutboundStage): Promise<void> {
  const before = droppedBy(kit)
  const baggage = Array.from({ length: 70 }, (_, index) => `m${String(index)}=1`).join(',')
  await withWaybill({ clk: 'alice' }, () => call({ headers: { baggage } }))
  const heard = far.heard.at(-1)
  assert.ok(heard)
  const [line, ...others] = heard.lines('baggage')
  assert.deepEqual(others, [])
  assert.equal(line?.split(',').length, 64, 'members go as long as they fit')
  expectCarried({ baggage: line }, { clk: 'alice' })
  assert.ok((droppedBy(kit, before).OVER_LIMIT ?? 0) >= 6, 'what does not fit is counted')
}

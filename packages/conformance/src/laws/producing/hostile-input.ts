import assert from 'node:assert/strict'
import { expectCarried, withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import type { HeaderValue, StoredMessage } from '../../message/plain-broker.js'
import { droppedBy } from '../../stage/dropped.js'
import { withProducing } from '../../stage/producing-stage.js'
import { namesOfOurs } from '../../wire/names-of-ours.js'

/** Names of ours as a careless or hostile sender writes them. */
const SMUGGLED: Readonly<Record<string, HeaderValue>> = {
  Clk: 'mallory',
  'X-Shard-Key': Buffer.from('mallory-key'),
  'x-hop-count': ['many', Buffer.from('mallory')],
  Baggage: 'vendor=1,clk=mallory,%63LK=mallory,SHARD-KEY=mallory-key',
}

export const hostileInput: Law<'hostile-input', ProducingHalf> = {
  name: 'hostile-input',
  title: 'names of ours that the sender put on a message, and what does not fit, are dropped and counted',
  async holds(half) {
    await insideAScope(half)
    await toAStrangeTopic(half)
    await inNoScope(half)
  },
}

const only = ([message, ...others]: readonly StoredMessage[]): StoredMessage => {
  assert.ok(message !== undefined && others.length === 0)
  return message
}

async function insideAScope(half: ProducingHalf): Promise<void> {
  await withProducing(half, {}, async ({ kit, send, read }) => {
    await withWaybill({ clk: 'alice' }, () => send([{ key: 'a', value: 'smuggled', headers: SMUGGLED }]))
    const smuggled = only(await read(1))
    assert.ok(!/mallory|many/.test(smuggled.rawHeaders.join()), 'no name of ours from the sender is sent')
    assert.deepEqual(smuggled.lines('baggage'), ['clk=alice,waybill-depth=1,vendor=1'])
    assert.ok(kit.counters.conflicts > 0, 'the conflict is counted')

    const before = droppedBy(kit)
    const baggage = Array.from({ length: 70 }, (_, index) => `m${String(index)}=1`).join(',')
    await withWaybill({ clk: 'alice' }, () => send([{ key: 'a', value: 'long', headers: { baggage } }]))
    const lines = (await read(2))[1]?.lines('baggage') ?? []
    assert.equal(lines.join().split(',').length, 64, 'members go as long as they fit')
    expectCarried({ baggage: lines }, { clk: 'alice' })
    assert.ok((droppedBy(kit, before).OVER_LIMIT ?? 0) >= 6, 'what does not fit is counted')
  })
}

async function toAStrangeTopic(half: ProducingHalf): Promise<void> {
  await withProducing(half, { strange: true }, async ({ kit, send, read }) => {
    await withWaybill({ clk: 'alice' }, () => send([{ key: 'a', value: 'smuggled', headers: SMUGGLED }]))
    const smuggled = only(await read(1))
    assert.deepEqual(namesOfOurs(smuggled), [], 'no name of ours leaves the fleet')
    assert.deepEqual(smuggled.lines('baggage'), ['vendor=1'], 'the sender’s own members do')
    assert.deepEqual(droppedBy(kit), { LEAVES_FLEET: 6 }, 'what may not leave is counted')
  })
}

/** Outside of any request the sender's headers count, where they can be read. */
async function inNoScope(half: ProducingHalf): Promise<void> {
  await withProducing(half, {}, async ({ kit, send, read }) => {
    await send([
      { key: 'a', value: 'said', headers: { clk: 'carol' } },
      { key: 'a', value: 'not said', headers: { clk: 'not valid!' } },
      { key: 'a', value: 'silent' },
    ])
    const said = (await read(3)).map(({ lines }) => lines('baggage').join())
    assert.deepEqual(said, ['clk=carol,waybill-depth=1', 'waybill-depth=1', 'waybill-depth=1'])
    assert.deepEqual(droppedBy(kit), { INVALID_CLK: 1 }, 'what cannot be read is counted')
  })
}

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { subscribe } from '@waybill/core'
import { isWaybillError } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import type { PlainMessage } from '../../message/plain-broker.js'
import { withProducing, type ProducingStage } from '../../stage/producing-stage.js'
import { refusingBob } from '../../stage/refusing-bob.js'
import { catchUncaught } from '../../stage/uncaught.js'

interface Ending {
  readonly title: string
  readonly clk: string
  readonly messages: readonly PlainMessage[]
  readonly events: readonly ('injected' | 'settled' | 'refused')[]
  /** True: the send rejects. */
  readonly fails: boolean
}

const SEVERAL = [
  { key: 'a', value: 'one' },
  { key: 'b', value: null },
  { key: 'a', value: 'three', headers: { mine: '1' } },
]
const MISTAKEN = [{ key: 'a', value: 'one', headers: { mistake: null } }]

const ENDINGS: readonly Ending[] = [
  {
    title: 'several messages',
    clk: 'alice',
    messages: SEVERAL,
    events: ['injected', 'settled'],
    fails: false,
  },
  { title: 'a refusal of an interceptor', clk: 'bob', messages: SEVERAL, events: ['refused'], fails: true },
  { title: 'a mistake', clk: 'alice', messages: MISTAKEN, events: ['injected', 'settled'], fails: true },
]

export const publishedOnce: Law<'published-once', ProducingHalf> = {
  name: 'published-once',
  title:
    'each send to a topic ends in one of settled or refused, is published once, and no subscriber changes it',
  async holds(half) {
    await withProducing(half, { kit: { interceptors: [refusingBob] } }, async (stage) => {
      await besideAThrower(stage)
      for (const ending of ENDINGS) await ends(stage, ending)
      const stored = await stage.read(SEVERAL.length + 1)
      assert.equal(stored.filter(({ value }) => value === 'first').length, 1, 'what was refused is not sent')
    })
  },
}

async function ends({ kit, topic, send }: ProducingStage, { title, clk, ...ending }: Ending): Promise<void> {
  const recorded = recordEvents(['injected', 'settled', 'refused'])
  const before = { ...kit.counters }
  try {
    let error: unknown
    await withWaybill({ clk }, () => send(ending.messages)).catch((caught: unknown) => (error = caught))
    assert.equal(error !== undefined, ending.fails, `${title}: ${ending.fails ? 'rejects' : 'resolves'}`)
    assert.equal(isWaybillError(error), ending.events.includes('refused'), `${title}: whose error it is`)
    // What is published too much may come late.
    await wait(5)
    assert.deepEqual(
      recorded.all.map(({ name }) => name),
      ending.events,
      title,
    )
    const calls = new Set(recorded.all.map(({ event }) => (event as { call?: string }).call))
    assert.equal(calls.size, 1, `${title}: one call`)
    for (const event of recorded.of('injected')) {
      assert.deepEqual([event.kind, event.topic, event.clk], ['message', topic, clk], title)
    }
    for (const name of ['injected', 'settled', 'refused'] as const) {
      const count = ending.events.filter((event) => event === name).length
      assert.equal(kit.counters[name] - before[name], count, `${title}: counted as published`)
    }
  } finally {
    recorded.stop()
  }
}

async function besideAThrower({ send }: ProducingStage): Promise<void> {
  const caught = await catchUncaught(async () => {
    const stops = (['injected', 'settled'] as const).map((name) =>
      subscribe(name, () => {
        throw new Error('a subscriber')
      }),
    )
    try {
      await withWaybill({ clk: 'alice' }, () => send([{ key: 'a', value: 'first' }]))
    } finally {
      for (const stop of stops) stop()
    }
  })
  assert.equal(caught.length, 2, 'a subscriber’s error is the process’s')
}

import { expect, test } from 'vitest'
import type { BatchMessage, BatchPayload } from './kafka-shape.js'
import type { Decide } from './decision.js'
import { siftBatch } from './sift-batch.js'

/** As in kafkajs: the members of a batch that are not of its messages look at what was fetched. */
class Batch {
  readonly topic = 'orders'
  readonly fetched: readonly BatchMessage[]
  readonly messages: readonly BatchMessage[]

  constructor(messages: readonly BatchMessage[]) {
    this.fetched = messages
    this.messages = messages
  }

  isEmpty(): boolean {
    return this.messages.length === 0
  }

  lastOffset(): string | undefined {
    return this.fetched.at(-1)?.offset
  }
}

/** A batch with one message for each letter: `h` is to be handled, `s` to be skipped. Offsets begin at 10. */
function batchOf(letters: string) {
  const resolved: string[] = []
  const messages = [...letters].map((letter, at) => ({ offset: String(10 + at), headers: { letter } }))
  const payload: BatchPayload & { batch: Batch } = {
    batch: new Batch(messages),
    resolveOffset: (offset) => void resolved.push(offset),
    heartbeat: () => Promise.resolve(),
    isRunning: () => true,
    isStale: () => false,
  }
  const decide: Decide = ({ topic, message }) => {
    expect(topic).toBe('orders')
    return (message.headers as { letter: string }).letter === 'h' ? 'handle' : 'skip'
  }
  return { payload, resolved, sifted: siftBatch(payload, decide) as typeof payload | undefined }
}

test('the handler sees what is to be handled, and the batch stays what it is', () => {
  const { payload, sifted } = batchOf('hsh')
  expect(sifted?.batch.messages.map(({ offset }) => offset)).toEqual(['10', '12'])
  expect(sifted?.batch).toBeInstanceOf(Batch)
  expect(sifted?.batch.lastOffset()).toBe('12')
  expect(payload.batch.messages).toHaveLength(3)
})

test.each([
  ['hhh', [], ['10', '11', '12']],
  ['hsh', [], ['11', '12']],
  ['hss', [], ['12']],
  ['ssh', ['11'], ['12']],
  ['shsshs', ['10'], ['13', '15']],
])(
  'offsets of %s: what was skipped is resolved at once in front, else with the message before',
  (letters, atOnce, later) => {
    const { resolved, sifted } = batchOf(letters)
    expect(resolved).toEqual(atOnce)
    for (const { offset } of sifted!.batch.messages) sifted!.resolveOffset(offset)
    expect(resolved).toEqual([...atOnce, ...later])
  },
)

test('a batch with nothing to handle is resolved, and no handler sees it', () => {
  const { resolved, sifted } = batchOf('sss')
  expect(sifted).toBeUndefined()
  expect(resolved).toEqual(['12'])
})

import { expect, test } from 'vitest'
import { ManualTurns } from './fixtures/manual-turns.js'
import { Sliced, takeAll } from './sliced.js'

/** Steps that take a tenth of a millisecond each, and note that they were taken. */
function* stepsOf(turns: ManualTurns, taken: string[], name: string, count: number): Generator<undefined> {
  for (let n = 1; n <= count; n += 1) {
    turns.pass(0.1)
    taken.push(`${name}${String(n)}`)
    yield
  }
}

test('a long list is taken in slices of less than half a millisecond, in its order', () => {
  const turns = new ManualTurns()
  const sliced = new Sliced(turns)
  const taken: string[] = []
  sliced.begin(stepsOf(turns, taken, 'a', 20))
  // The clock is looked at with every fourth step.
  expect(taken).toHaveLength(4)
  expect(sliced.busy).toBe(true)
  expect(turns.take()).toBe(true)
  expect(taken).toHaveLength(8)
  while (turns.take());
  expect(sliced.busy).toBe(false)
  expect(taken).toEqual(Array.from({ length: 20 }, (_, n) => `a${String(n + 1)}`))
})

test('a newer list ends the one before', () => {
  const turns = new ManualTurns()
  const sliced = new Sliced(turns)
  const taken: string[] = []
  sliced.begin(stepsOf(turns, taken, 'a', 20))
  sliced.begin(stepsOf(turns, taken, 'b', 9))
  expect(turns.waiting).toBe(1)
  while (turns.take());
  expect(taken.filter((each) => each.startsWith('a'))).toHaveLength(4)
  expect(taken.filter((each) => each.startsWith('b'))).toHaveLength(9)
  sliced.begin(stepsOf(turns, taken, 'c', 20))
  sliced.cancel()
  expect(turns.waiting).toBe(0)
  expect(sliced.busy).toBe(false)
})

test('a step may itself begin another list, or give its own one up', () => {
  const turns = new ManualTurns()
  const sliced = new Sliced(turns)
  const taken: string[] = []
  sliced.begin(
    (function* () {
      taken.push('first')
      sliced.begin(stepsOf(turns, taken, 'b', 2))
      yield
      taken.push('never')
    })(),
  )
  sliced.runWhole(
    (function* () {
      taken.push('whole')
      sliced.cancel()
      yield
      taken.push('never')
    })(),
  )
  expect(taken).toEqual(['first', 'b1', 'b2', 'whole'])
  expect([sliced.busy, turns.waiting]).toEqual([false, 0])
})

test('a list that is run whole gives nobody else a turn; a step that throws ends its list', () => {
  const turns = new ManualTurns()
  const sliced = new Sliced(turns)
  const taken: string[] = []
  sliced.runWhole(stepsOf(turns, taken, 'a', 100))
  takeAll(stepsOf(turns, taken, 'b', 100))
  expect([taken.length, sliced.busy, turns.waiting]).toEqual([200, false, 0])
  const broken = (function* () {
    yield
    throw new Error('broken')
  })()
  expect(() => {
    sliced.begin(broken)
  }).toThrow('broken')
  expect(sliced.busy).toBe(false)
})

test('by the machine: the event loop has a turn between two slices', async () => {
  const sliced = new Sliced()
  const ended = new Promise<number>((resolve) => {
    let turns = 0
    const count = setInterval(() => (turns += 1), 0)
    sliced.begin(
      (function* () {
        for (const until = performance.now() + 20; performance.now() < until;) yield
        clearInterval(count)
        resolve(turns)
      })(),
    )
  })
  expect(sliced.busy).toBe(true)
  expect(await ended).toBeGreaterThan(0)
})

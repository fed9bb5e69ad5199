import assert from 'node:assert/strict'
import type { Kit } from '@waybill/core'
import type { TimerHalf } from '../timer-record.js'

const TURNS_WITHIN_MS = 5_000

/**
 * What a function gives in its first turns. One that is called once is started as often; all of that in the scope of
 * whoever calls this.
 */
export async function turns<T>(
  timer: TimerHalf,
  kit: Kit,
  count: number,
  look: (turn: number) => T,
): Promise<T[]> {
  const seen: T[] = []
  const ends: (() => void)[] = []
  let late: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve) => {
      const turn = (): void => {
        if (seen.length < count) seen.push(look(seen.length))
        if (seen.length === count) resolve()
      }
      for (let started = 0; started < (timer.repeats ? 1 : count); started++)
        ends.push(timer.start(kit, turn))
      late = setTimeout(resolve, TURNS_WITHIN_MS)
    })
  } finally {
    clearTimeout(late)
    for (const end of ends) end()
  }
  assert.equal(seen.length, count, 'the function is called')
  return seen
}

import { setImmediate, setTimeout } from 'node:timers/promises'
import { clkHere } from './facts-here.js'

/**
 * The tags that code sees that runs here and then waits in several ways; neighbours wait differently long, so that they
 * overtake each other. Four of them, `untagged` for none.
 */
export async function clksOverTime(turn: number): Promise<readonly string[]> {
  const seen = [clkHere() ?? 'untagged']
  const look = (): unknown => seen.push(clkHere() ?? 'untagged')
  await setTimeout(turn % 7)
  look()
  await setImmediate()
  await Promise.all(
    [1, 2].map(async (part) => {
      await setTimeout((turn + part) % 5)
      look()
    }),
  )
  return seen
}

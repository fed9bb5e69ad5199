import { expect, test } from 'vitest'
import { lawsOfKind } from './laws-of-kind.js'
import { committedResults, resultsPath, sourceOf } from './results-folder.js'
import { settled } from './settled.js'
import type { VerifiedCarrier } from './verified.js'

const HINT = `What was just verified is not what packages/conformance/results says, from which docs/conformance.md is made.
Is that meant? On each Node version of the table:
npx vitest run --project conformance --project kafka packages/adapters -u
and then: npx vitest run --project docs test/docs/conformance.test.ts -u`

/** Registers, behind the laws of a file's records, the test that compares what they said with what is committed. */
export function keepResults(carriers: readonly VerifiedCarrier[]): void {
  test('the table shows what was verified', async () => {
    for (const { kind, name, laws } of carriers) {
      const judged = lawsOfKind[kind].map((law) => law.name).filter((law) => law in laws)
      expect(judged, `${name}: every law was judged, and as the record says`).toHaveLength(
        lawsOfKind[kind].length,
      )
    }
    const source = sourceOf(expect.getState().testPath ?? '')
    const node = Number(process.versions.node.split('.')[0])
    const results = settled(source, carriers, node, committedResults(source))
    await expect(`${JSON.stringify(results, null, 2)}\n`, HINT).toMatchFileSnapshot(resultsPath(source))
  })
}

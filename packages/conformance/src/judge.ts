import { describe, test } from 'vitest'
import type { Answer, Answers } from './answer.js'
import type { Law } from './law.js'
import { verify } from './verify.js'

/** What came of a record: by the name of each law that was judged, true or the reason of a confirmed `no`. */
export type Verdicts = Record<string, true | string>

/** Registers as a test what a record answers to a law. */
export function judge(
  law: { readonly name: string; readonly title: string },
  answer: Answer,
  attempt: () => Promise<void>,
  verdicts: Verdicts = {},
): void {
  const said = answer === true ? law.title : `does not hold, since ${answer.no}`
  test(`${law.name}: ${said}`, async () => {
    await verify(law.name, answer, attempt)
    verdicts[law.name] = answer === true ? true : answer.no
  })
}

/** Registers what one half of a record answers, law by law. The verdicts are complete when these tests have passed. */
export function judgeHalf<Name extends string, Half extends { readonly laws: Answers<Name> }>(
  title: string,
  half: Half,
  laws: readonly Law<Name, Half>[],
): Verdicts {
  const verdicts: Verdicts = {}
  describe(title, () => {
    for (const law of laws) judge(law, half.laws[law.name], () => law.holds(half), verdicts)
  })
  return verdicts
}

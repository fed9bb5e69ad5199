import { describe, test } from 'vitest'
import type { Answer, Answers } from './answer.js'
import type { Law } from './law.js'
import { verify } from './verify.js'

/** Registers as a test what a record answers to a law. */
export function judge(
  law: { readonly name: string; readonly title: string },
  answer: Answer,
  attempt: () => Promise<void>,
): void {
  const said = answer === true ? law.title : `does not hold, since ${answer.no}`
  test(`${law.name}: ${said}`, () => verify(law.name, answer, attempt))
}

/** Registers what one half of a record answers, law by law. */
export function judgeHalf<Name extends string, Half extends { readonly laws: Answers<Name> }>(
  title: string,
  half: Half,
  laws: readonly Law<Name, Half>[],
): void {
  describe(title, () => {
    for (const law of laws) judge(law, half.laws[law.name], () => law.holds(half))
  })
}

import { test } from 'vitest'
import type { Answer } from './answer.js'
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

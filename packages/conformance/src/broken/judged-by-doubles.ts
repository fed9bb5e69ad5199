import { AssertionError } from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { Law } from '../law.js'

/** Registers as tests that each double fails the law that it breaks, by what that law asserts, and no other. */
export function judgedByDoubles<Name extends string, Half extends object>(
  title: string,
  laws: readonly Law<Name, Half>[],
  doubles: Readonly<Record<Name, Half>>,
): void {
  test(`${title}: every law of the record is asked`, () => {
    expect(laws.map(({ name }) => name).sort()).toEqual(Object.keys(doubles).sort())
  })
  for (const { name } of laws) {
    const double = doubles[name]
    test(`${title}: ${double.constructor.name} fails ${name} and no other`, async () => {
      const failed: string[] = []
      for (const law of laws) {
        await law.holds(double).catch((error: unknown) => {
          expect(error, law.name).toBeInstanceOf(AssertionError)
          failed.push(law.name)
        })
      }
      expect(failed).toEqual([name])
    })
  }
}

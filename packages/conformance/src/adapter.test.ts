import { AssertionError } from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { adapterLaws } from './adapter.js'
import { inboundDoubles, outboundDoubles } from './broken/doubles.js'
import { SoundClient } from './broken/sound-client.js'
import { SoundListener } from './broken/sound-listener.js'
import type { Law } from './law.js'
import { inboundLaws, outboundLaws } from './laws.js'

adapterLaws({
  name: 'the base of the doubles obeys every law',
  direction: 'both',
  inbound: new SoundListener(),
  outbound: new SoundClient(),
})

describe('a law is judged by the double that breaks it', () => {
  judged('inbound', inboundLaws, inboundDoubles)
  judged('outbound', outboundLaws, outboundDoubles)
})

function judged<Name extends string, Half>(
  direction: string,
  laws: readonly Law<Name, Half>[],
  doubles: Readonly<Record<Name, Half>>,
): void {
  test(`${direction}: every law of the record is asked`, () => {
    expect(laws.map(({ name }) => name).sort()).toEqual(Object.keys(doubles).sort())
  })
  for (const { name } of laws) {
    const double = doubles[name]
    test(`${direction}: ${String(double?.constructor.name)} fails ${name} and no other`, async () => {
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

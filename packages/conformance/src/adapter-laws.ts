import { describe, expect, test } from 'vitest'
import type { AdapterRecord, Answers } from './adapter-record.js'
import type { Law } from './law.js'
import { inboundLaws, outboundLaws } from './laws.js'

/** Registers the laws of an adapter as tests, each half with a hop of its own against plain node:http. */
export function adapterLaws(record: AdapterRecord): void {
  describe(record.name, () => {
    if (record.direction !== 'outbound') judge('inbound', record.inbound, inboundLaws)
    if (record.direction !== 'inbound') judge('outbound', record.outbound, outboundLaws)
  })
}

function judge<Name extends string, Half extends { readonly laws: Answers<Name> }>(
  direction: string,
  half: Half,
  laws: readonly Law<Name, Half>[],
): void {
  describe(direction, () => {
    for (const law of laws) {
      const answer = half.laws[law.name]
      if (answer === true) test(`${law.name}: ${law.title}`, () => law.holds(half))
      else {
        // An excuse that has become false is a defect of the record.
        test(`${law.name}: does not hold: ${answer.no}`, async () => {
          await expect(law.holds(half)).rejects.toThrow()
        })
      }
    }
  })
}

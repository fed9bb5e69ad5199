import { describe, test } from 'vitest'
import type { AdapterRecord, Answer, Answers } from './adapter-record.js'
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
      const said = answer === true ? law.title : `does not hold, since ${answer.no}`
      test(`${law.name}: ${said}`, () => verify(law, half, answer))
    }
  })
}

/**
 * Holds a half to its word.
 * @throws what the law says where the half claims to obey it; an error where a `no` has become false.
 */
export async function verify<Half>(law: Law<string, Half>, half: Half, answer: Answer): Promise<void> {
  if (answer === true) return law.holds(half)
  if (answer.no.trim() === '') throw new Error(`${law.name}: a no has a reason`)
  const holds = await law.holds(half).then(
    () => true,
    () => false,
  )
  if (holds) throw new Error(`${law.name} holds, though the record says that ${answer.no}`)
}

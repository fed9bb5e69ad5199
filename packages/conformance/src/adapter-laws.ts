import { describe } from 'vitest'
import type { AdapterRecord } from './adapter-record.js'
import type { Answers } from './answer.js'
import { judge } from './judge.js'
import type { Law } from './law.js'
import { inboundLaws, outboundLaws } from './laws.js'

/** Registers the laws of an adapter as tests, each half with a hop of its own against plain node:http. */
export function adapterLaws(record: AdapterRecord): void {
  describe(record.name, () => {
    if (record.direction !== 'outbound') judgeHalf('inbound', record.inbound, inboundLaws)
    if (record.direction !== 'inbound') judgeHalf('outbound', record.outbound, outboundLaws)
  })
}

function judgeHalf<Name extends string, Half extends { readonly laws: Answers<Name> }>(
  direction: string,
  half: Half,
  laws: readonly Law<Name, Half>[],
): void {
  describe(direction, () => {
    for (const law of laws) judge(law, half.laws[law.name], () => law.holds(half))
  })
}

import { describe } from 'vitest'
import type { AdapterRecord } from './adapter-record.js'
import { judgeHalf } from './judge.js'
import { inboundLaws, outboundLaws } from './laws.js'

/** Registers the laws of an adapter as tests, each half with a hop of its own against plain node:http. */
export function adapterLaws(record: AdapterRecord): void {
  describe(record.name, () => {
    if (record.direction !== 'outbound') judgeHalf('inbound', record.inbound, inboundLaws)
    if (record.direction !== 'inbound') judgeHalf('outbound', record.outbound, outboundLaws)
  })
}

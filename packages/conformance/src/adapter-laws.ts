import type { AdapterRecord } from './adapter-record.js'
import { judgeHalf } from './judge.js'
import { inboundLaws, outboundLaws } from './laws.js'
import { keepResults } from './table/keep-results.js'
import type { VerifiedCarrier } from './table/verified.js'

/**
 * Registers the laws of adapters as tests, each half with a hop of its own against plain node:http. Call it once in a
 * file, with all of the file's records.
 */
export function adapterLaws(...records: readonly AdapterRecord[]): void {
  keepResults(records.flatMap(judgeAdapter))
}

/** The tests of one record alone, without those of the table. */
export function judgeAdapter(record: AdapterRecord): readonly VerifiedCarrier[] {
  const { name } = record
  const carriers: VerifiedCarrier[] = []
  if (record.direction !== 'outbound') {
    const { inbound } = record
    const laws = judgeHalf(`${name}, inbound`, inbound, inboundLaws)
    carriers.push({ kind: 'requests in', name, traits: { kind: inbound.kind }, laws })
  }
  if (record.direction !== 'inbound') {
    const { outbound } = record
    const laws = judgeHalf(`${name}, outbound`, outbound, outboundLaws)
    carriers.push({ kind: 'requests out', name, traits: { kind: outbound.kind }, laws })
  }
  return carriers
}

import { judgeHalf } from './judge.js'
import { consumingLaws, producingLaws } from './laws-of-messages.js'
import type { MessageRecord } from './message-record.js'
import { keepResults } from './table/keep-results.js'
import type { VerifiedCarrier } from './table/verified.js'

/**
 * Registers the laws of messages as tests, against a real broker and a client of it without the kit. Call it once in a
 * file, with all of the file's records.
 */
export function messageLaws(...records: readonly MessageRecord[]): void {
  keepResults(records.map(judgeMessages))
}

/** The tests of one record alone, without those of the table. */
export function judgeMessages(record: MessageRecord): VerifiedCarrier {
  const { name } = record
  if (record.direction === 'consuming') {
    const { consuming } = record
    const laws = judgeHalf(`${name}, consuming`, consuming, consumingLaws)
    return { kind: 'messages in', name, traits: { kind: consuming.kind }, laws }
  }
  const { producing } = record
  const laws = judgeHalf(`${name}, producing`, producing, producingLaws)
  return { kind: 'messages out', name, traits: { kind: producing.kind }, laws }
}

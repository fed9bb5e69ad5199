import { describe } from 'vitest'
import { judgeHalf } from './judge.js'
import { consumingLaws, producingLaws } from './laws-of-messages.js'
import type { MessageRecord } from './message-record.js'

/** Registers the laws of messages as tests, against a real broker and a client of it without the kit. */
export function messageLaws(record: MessageRecord): void {
  describe(record.name, () => {
    if (record.direction === 'consuming') judgeHalf('consuming', record.consuming, consumingLaws)
    else judgeHalf('producing', record.producing, producingLaws)
  })
}

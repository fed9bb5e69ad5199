import { describe, test } from 'vitest'
import type { Law } from './law.js'
import { oneStorage } from './laws/process/one-storage.js'
import { twoCopies } from './laws/process/two-copies.js'
import type { ProcessLaw, ProcessRecord } from './process-record.js'

/** What holds for a process with every package of the kit in it. */
export const lawsOfProcess: readonly Law<ProcessLaw, ProcessRecord>[] = [twoCopies, oneStorage]

/** Registers the laws of a process as tests, once over all adapters together. They run the builds, not the sources. */
export function processLaws(record: ProcessRecord): void {
  describe('one process with every package', () => {
    for (const law of lawsOfProcess) test(`${law.name}: ${law.title}`, () => law.holds(record))
  })
}

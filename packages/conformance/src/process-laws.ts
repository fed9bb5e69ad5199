import { describe } from 'vitest'
import { judge, type Verdicts } from './judge.js'
import { lawsOfProcesses } from './laws-of-processes.js'
import type { ProcessRecord } from './process-record.js'
import { keepResults } from './table/keep-results.js'

/** Registers the laws of a process as tests, once over all adapters together. They run the builds, not the sources. */
export function processLaws(record: ProcessRecord): void {
  const name = 'one process with every package'
  const laws: Verdicts = {}
  describe(name, () => {
    for (const law of lawsOfProcesses) judge(law, true, () => law.holds(record), laws)
  })
  keepResults([{ kind: 'processes', name, traits: {}, laws }])
}

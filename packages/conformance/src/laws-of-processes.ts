import type { Law } from './law.js'
import { besideOpenTelemetry } from './laws/process/beside-opentelemetry.js'
import { oneStorage } from './laws/process/one-storage.js'
import { twoCopies } from './laws/process/two-copies.js'
import type { ProcessLaw, ProcessRecord } from './process-record.js'

/** What holds for a process with every package of the kit in it. */
export const lawsOfProcesses: readonly Law<ProcessLaw, ProcessRecord>[] = [
  twoCopies,
  oneStorage,
  besideOpenTelemetry,
]

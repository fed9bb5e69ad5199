import { inboundLaws, outboundLaws } from '../laws.js'
import { consumingLaws, producingLaws } from '../laws-of-messages.js'
import { lawsOfProcesses } from '../laws-of-processes.js'
import { lawsOfTasks } from '../laws-of-tasks.js'
import { lawsOfTimers } from '../laws-of-timers.js'
import type { CarrierKind } from './verified.js'

/** What each kind of carrier is asked, in the order of the table. */
export const lawsOfKind: Readonly<
  Record<CarrierKind, readonly { readonly name: string; readonly title: string }[]>
> = {
  'requests in': inboundLaws,
  'requests out': outboundLaws,
  'messages in': consumingLaws,
  'messages out': producingLaws,
  tasks: lawsOfTasks,
  timers: lawsOfTimers,
  processes: lawsOfProcesses,
}

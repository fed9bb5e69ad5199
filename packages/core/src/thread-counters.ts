import { newCounters, type Counters } from './counters.js'
import type { DropReason } from './events.js'
import { rendezvous } from './rendezvous.js'

/**
 * The counters of all kits that this thread has made, added up. They only grow: a kit that nobody holds any more still
 * counts.
 */
export function threadCounters(): Counters {
  const sum = newCounters()
  for (const counters of rendezvous().counters ?? []) add(sum, counters)
  return sum
}

/** What another release of the package counts under names that are not known here is left out. */
function add(sum: Counters, { dropped, ...plain }: PartialCounters): void {
  const { dropped: reasons, ...names } = sum
  for (const name of Object.keys(names) as (keyof typeof names)[]) sum[name] += plain[name] ?? 0
  for (const reason of Object.keys(reasons) as DropReason[]) reasons[reason] += dropped[reason] ?? 0
}

type PartialCounters = Partial<Omit<Counters, 'dropped'>> & {
  readonly dropped: Partial<Record<DropReason, number>>
}

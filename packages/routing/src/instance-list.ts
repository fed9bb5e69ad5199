import { readInstance } from './instance.js'
import type { FieldProblem, Instance } from './instance.js'
import { ServiceIndex } from './service-index.js'

/** An instance as a person writes it: what has a default may be left out. */
export interface InstanceInput
  extends Partial<Omit<Instance, 'host' | 'port' | 'clks'>>, Pick<Instance, 'host' | 'port'> {
  /** A list, or one text with commas between. */
  readonly clks?: readonly string[] | string
}

/** An entry of a list that is no candidate, since it cannot be read. */
export interface RefusedEntry {
  /** Its id where it has one, else its place in the list. */
  readonly id: string
  readonly problems: readonly FieldProblem[]
}

export interface IndexedList {
  readonly index: ServiceIndex
  readonly refused: readonly RefusedEntry[]
}

/** Stands in an entry that names none; a list is about one service. */
const UNNAMED = 'unnamed'

/** Reads a plain list of one service's instances. The entries are copied, never written to. */
export function indexInstances(list: Iterable<InstanceInput>, environment?: string): IndexedList {
  const index = new ServiceIndex(
    UNNAMED,
    environment === undefined ? {} : { environment: environment.toLowerCase() },
  )
  const refused: RefusedEntry[] = []
  let place = 0
  for (const entry of list) {
    const reading = readInstance(entry, { service: UNNAMED, environment: environment ?? UNNAMED })
    if ('instance' in reading) index.put(reading.instance)
    else
      refused.push({ id: typeof entry?.id === 'string' ? entry.id : `#${place}`, problems: reading.problems })
    place += 1
  }
  return { index, refused }
}

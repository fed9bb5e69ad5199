import { WaybillError } from './errors.js'
import type { Counters } from './counters.js'
import type { FieldDefinition } from './field.js'
import type { HandShake } from './hand-shake.js'
import type { Kit } from './kit.js'
import type { ScopeStore } from './scope.js'
import type { StampedAttempts } from './stamped-attempts.js'
import type { ServedLine } from './thread-line.js'
import type { Tracer } from './tracer.js'
import { PROTOCOL, VERSION } from './version.js'

/** A loaded copy of the package, to be named when two of them cannot work together. */
export interface Copy {
  readonly version: string
  readonly path: string
}

/**
 * The one record per thread that all copies and formats of the package share. It is found under an unversioned key,
 * so that copies that do not fit together meet and can say so.
 */
export interface Rendezvous {
  readonly protocol: number
  /** The scope store; made by the first scope. */
  store: ScopeStore | undefined
  /** The kit's own, which that may fall back on. */
  ownStore?: ScopeStore
  /** All that are installed in its place; the last is the one that counts. */
  stores?: ScopeStore[]
  /** Extra fields by order of declaration; a field's place here is its place in every waybill. */
  readonly declared: FieldDefinition[]
  readonly copies: Copy[]
  /** True once a request, message or task was adopted here, by whichever kit. */
  adopted?: boolean
  /** The kit of this thread: the one that was made last. */
  kit?: Kit
  /** Those of every kit that was made here: what is summed up over kits must not fall with one that is gone. */
  counters?: Counters[]
  /** What the thread that made this one has left; null: nothing, and it has been looked. */
  parent?: HandShake | null
  /** What the threads of this process know and no message can. */
  secret?: string
  /** On which worker threads ask this one; opened by the first kit with something to share. */
  line?: ServedLine
  /** What writes `baggage` beside the kits of this thread. */
  tracer?: Tracer | undefined
  /** All that are installed; the last is the one that counts. */
  tracers?: Tracer[]
  /** What a seam below the clients must not stamp again; made by the first such seam. */
  stamped?: StampedAttempts | undefined
}

const KEY = Symbol.for('@waybill/core')

let joined: Rendezvous | undefined

/**
 * The shared record, made by whoever asks first.
 * @throws WaybillError ERR_WAYBILL_TWO_COPIES where a copy with another protocol has made it.
 */
export function rendezvous(): Rendezvous {
  return (joined ??= join())
}

function join(): Rendezvous {
  const global = globalThis as { [KEY]?: Rendezvous }
  const own: Copy = { version: VERSION, path: pathOfThisCopy() }
  const found = global[KEY]
  if (found === undefined) {
    const made: Rendezvous = { protocol: PROTOCOL, store: undefined, declared: [], copies: [own] }
    Object.defineProperty(globalThis, KEY, { value: made })
    return made
  }
  if (found.protocol !== PROTOCOL) {
    throw new WaybillError('ERR_WAYBILL_TWO_COPIES', {
      here: `${own.version} (protocol ${PROTOCOL}) at ${own.path}`,
      there: found.copies
        .map((copy) => `${copy.version} (protocol ${found.protocol}) at ${copy.path}`)
        .join(', '),
    })
  }
  found.copies.push(own)
  return found
}

function pathOfThisCopy(): string {
  // A bundler may leave import.meta.url out; the version still tells the copies apart.
  const url = import.meta.url as string | undefined
  return url ?? '(bundled)'
}

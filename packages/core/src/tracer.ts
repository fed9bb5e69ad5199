import type { Call, CallKind } from './call.js'
import { installLast } from './install-last.js'
import { rendezvous } from './rendezvous.js'
import type { Stamp } from './stamp.js'
import type { Inbound } from './trust.js'

/**
 * A tracer that runs beside the kits of this process and writes `baggage` too: what the two have to agree on, so that a
 * call bears one such header. There is one tracer at a time.
 */
export interface Tracer {
  /** Looks whether it can stand beside a listener of this sort; called where a kit or listener is made. May throw. */
  beside(inbound: Inbound): void
  /** Called in the scope of each arrival that was adopted, before its handler. */
  adopted(kind: CallKind): void
  /** Foreign members that it would put on a call made here, as the text of a `baggage` header; '' where there are none. */
  baggage(): string
  /** True where it writes `baggage` of its own on calls of a kit, whatever the kit has written. */
  overwrites(): boolean
  /** Runs the sending of one attempt: the kit has written the whole `baggage` header of it, as its stamp says. */
  sending<T>(send: () => Promise<T>, call: Call, stamp: Stamp): Promise<T>
}

/**
 * Puts a tracer beside all kits of the process, those made already and those to come.
 * @returns an undo that restores the one before, if any; in any order.
 * @throws what the tracer's `beside` throws for the kit that there is.
 */
export function installTracer(tracer: Tracer): () => void {
  const shared = rendezvous()
  if (shared.kit !== undefined) tracer.beside(shared.kit.facts.inbound)
  return installLast((shared.tracers ??= []), tracer, (last) => {
    shared.tracer = last
  })
}

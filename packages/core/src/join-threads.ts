import type { Interceptor } from './call.js'
import type { Engine } from './engine.js'
import { leaveForWorkers, type HandShake } from './hand-shake.js'
import { rendezvous } from './rendezvous.js'
import { AskingLine, ServedLine, type LineAddress } from './thread-line.js'

/**
 * Lets every interceptor of a new kit prepare, or follow the one of the parent thread, and leaves what worker threads
 * of this one need.
 */
export function joinThreads(
  interceptors: readonly Interceptor[],
  { facts, options }: Engine,
  parent: HandShake | undefined,
): void {
  const followed = parent !== undefined && parent.ofProcess !== true
  const lines: Record<string, LineAddress> = {}
  const served: NonNullable<Interceptor['share']>[] = []
  for (const interceptor of interceptors) {
    const { share } = interceptor
    const address = share === undefined ? undefined : parent?.lines[share.name]
    if (followed && share?.follow(facts, new AskingLine(address).to(share.name)) === true) {
      // It answers nobody itself: threads of a worker ask whom the worker asks.
      if (address !== undefined) lines[share.name] = address
      continue
    }
    interceptor.prepare?.(facts)
    if (share !== undefined) served.push(share)
  }
  // Not before the last one has prepared: a kit that is refused changes nothing for the threads of another.
  for (const share of served) lines[share.name] = serve(share, facts)
  leaveForWorkers({ options, lines })
}

function serve(share: NonNullable<Interceptor['share']>, facts: Engine['facts']): LineAddress {
  const shared = rendezvous()
  const line = (shared.line ??= new ServedLine())
  return line.share(share.name, share.serve(facts, line.changed))
}

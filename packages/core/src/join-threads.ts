import type { Interceptor } from './call.js'
import type { Engine } from './engine.js'
import { leaveForWorkers, type HandShake } from './hand-shake.js'
import { rendezvous } from './rendezvous.js'
import { AskingLine, ServedLine } from './thread-line.js'

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
  const asking = new AskingLine(parent?.line)
  const own: Interceptor[] = []
  for (const interceptor of interceptors) {
    const { share } = interceptor
    if (followed && share?.follow(facts, asking.to(share.name)) === true) continue
    interceptor.prepare?.(facts)
    own.push(interceptor)
  }
  // Those that follow answer nobody: threads of a worker ask whom the worker asks.
  let line = own.length < interceptors.length ? parent?.line : undefined
  for (const { share } of own) if (share !== undefined) line = serve(share, facts)
  leaveForWorkers({ options, line })
}

function serve(share: NonNullable<Interceptor['share']>, facts: Engine['facts']): ServedLine['address'] {
  const shared = rendezvous()
  const line = (shared.line ??= new ServedLine())
  line.share(share.name, share.serve(facts, line.changed))
  return line.address
}

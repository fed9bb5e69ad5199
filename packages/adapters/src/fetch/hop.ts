import { isIdempotentMethod, performCall, type Kit, type LostPlace } from '@waybill/core/adapter'
import type { DispatchHandler, DispatchOptions, Dispatcher } from '../node-http/dispatcher.js'
import { headerLines, stampedLike } from '../node-http/header-lines.js'
import { hopDestination } from '../node-http/hop-destination.js'
import { targetDispatcher } from '../node-http/target-dispatcher.js'
import { failHop } from '../node-http/watched-handler.js'
import { Attempt } from './attempt.js'
import { hopBody } from './hop-body.js'
import { hopScope } from './hop-scope.js'

/** What the hops of one redirect chain, or of one retried request, know of each other. */
export interface Chain {
  leftFleet: boolean
  lastCall: string | undefined
  /** Where the application made the call; undefined where the first hop is dispatched on its stack. */
  readonly place: LostPlace | undefined
}

export function newChain(place?: LostPlace): Chain {
  return { leftFleet: false, lastCall: undefined, place }
}

/** On the options of a hop that a kit has stamped: composed twice, the interceptor that sends it leaves it alone. */
const STAMPED: unique symbol = Symbol.for('@waybill/adapters.undici.stamped') as never

export function isStamped(options: DispatchOptions, kit: Kit): boolean {
  return (options as { readonly [STAMPED]?: Kit })[STAMPED] === kit
}

/**
 * Takes one network hop through the kit: a call of its own, whose headers are stamped on a copy.
 * @param dispatcher what sends it in the end. @param handler hears of it as if it had been dispatched there.
 */
export async function sendHop(
  kit: Kit,
  chain: Chain,
  dispatcher: Dispatcher,
  options: DispatchOptions,
  handler: DispatchHandler,
): Promise<void> {
  const scope = hopScope()
  let attempt: Attempt | undefined
  try {
    const lines = headerLines(options.headers)
    const body = hopBody(options.body, lines, scope)
    const method = options.method.toUpperCase()
    const { url, leaves } = hopDestination(options)
    const reply = await performCall(
      kit,
      {
        kind: 'http',
        url,
        method,
        headers: (name) => lines.get(name),
        body: body.kind,
        idempotent: isIdempotentMethod(method),
        signal: options['signal'] instanceof AbortSignal ? options['signal'] : undefined,
        after: chain.lastCall,
        leftFleet: chain.leftFleet || leaves,
        place: chain.place,
      },
      (call, stamp) => {
        chain.lastCall = call.id
        if (!call.fleet) chain.leftFleet = true
        attempt?.discard(new Error('the call went on to another'))
        attempt = new Attempt(
          scope,
          call.target === undefined ? dispatcher : targetDispatcher(call.target, dispatcher),
          {
            ...options,
            [STAMPED]: kit,
            headers: stampedLike(options.headers, lines, stamp),
            body: body.forAttempt(),
          },
          handler,
        )
        return attempt.reply
      },
    )
    reply.value.accept()
  } catch (error) {
    attempt?.discard(error as Error)
    failHop(handler, error)
  }
}

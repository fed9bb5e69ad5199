import { hasSubscribers, isSafeMethod, publish, REFUSED_HEADER, WaybillError } from '@waybill/core/adapter'
import type { Next, Reply } from '@waybill/core/adapter'
import { formatAddress } from './address.js'
import { requestOf } from './call-request.js'
import type { ServiceCall } from './call-request.js'
import { leadsSomewhere, sayUnreachable, servedBy } from './choice.js'
import type { Choice } from './choice.js'
import { decide } from './decide.js'
import type { DecisionRequest } from './decide.js'
import { describeFailure, judgeFailure, misdirected } from './failure.js'
import type { Failure } from './failure.js'
import { noProvider } from './no-provider.js'
import type { Router } from './router.js'
import type { ServiceIndex } from './service-index.js'
import { baselineTarget, instanceTarget } from './target.js'

/** What a failure counts as in the balancer, at least: an instance that fails fast must not look like the quickest. */
const FAILURE_COST_MS = 1000

/** Takes one call to an instance, and at most once more to another. */
export async function routeCall(router: Router, call: ServiceCall, next: Next): Promise<Reply> {
  const index = await router.indexOf(call.from, call.service.name, call.signal)
  return new RoutedCall(router, index, call, next).run()
}

class RoutedCall {
  readonly #router: Router
  readonly #index: ServiceIndex
  readonly #call: ServiceCall
  readonly #next: Next
  /** What the decision is asked; changes between attempts by what has been tried. */
  #request: DecisionRequest
  /** Tried and not to be tried again, by this call or by the one that it repeats. */
  readonly #tried: string[]
  /** Address and failure of each attempt of this call. */
  readonly #failed: string[] = []
  #tagUnreachable = false

  constructor(router: Router, index: ServiceIndex, call: ServiceCall, next: Next) {
    this.#router = router
    this.#index = index
    this.#call = call
    this.#next = next
    this.#tried = [...router.triedBefore.of(call.after)]
    this.#request = requestOf(router, call, this.#tried)
  }

  async run(): Promise<Reply> {
    this.#router.budget.call(this.#router.clock.now())
    const first = this.#firstChoice()
    const outcome = await this.#attempt(first, 1)
    if ('value' in outcome) return this.#tell(first, outcome)
    const second = this.#secondChoice(first, outcome)
    if (second === undefined) return this.#fail(first, outcome)
    const last = await this.#attempt(second, 2)
    if ('value' in last) return this.#tell(second, last)
    this.#leave(second, last)
    return this.#fail(second, last)
  }

  #firstChoice(): Choice {
    let choice = this.#choose()
    if (this.#tried.length > 0 && choice.decision.bucket === undefined) {
      // A host library repeats its call and nobody else is registered: then the same instance again, before any
      // address; and a laptop that was closed before all others, before nobody.
      this.#forget((id) => this.#index.provider(id)?.tagged !== true)
      choice = this.#choose()
      if (!leadsSomewhere(choice)) {
        this.#forget(() => true)
        choice = this.#choose()
      }
    }
    return leadsSomewhere(choice) ? choice : this.#refuse(choice)
  }

  #forget(which: (id: string) => boolean): void {
    this.#tried.splice(0, Infinity, ...this.#tried.filter((id) => !which(id)))
  }

  /** Undefined where the failed attempt is the last. */
  #secondChoice(first: Choice, failure: Failure): Choice | undefined {
    this.#leave(first, failure)
    if (!this.#mayRepeat(first, failure)) return undefined
    const tagged = first.provider?.tagged === true
    const choice = this.#choose()
    if (!leadsSomewhere(choice)) return tagged ? this.#refuse(choice, failure.error) : undefined
    // Whoever leaves a closed laptop is not what a retry storm is made of.
    return tagged || this.#router.budget.take(this.#router.clock.now()) ? choice : undefined
  }

  #mayRepeat({ provider }: Choice, { refused, answered, unreachable }: Failure): boolean {
    const { body, signal, deadline, method } = this.#call
    if (refused || answered || body === 'stream' || signal?.aborted === true) return false
    if (deadline !== undefined && this.#router.clock.now() >= deadline) return false
    return unreachable || (provider?.tagged !== true && isSafeMethod(method))
  }

  #choose(): Choice {
    const { connectMs, balancer } = this.#router
    const decision = decide(this.#index, this.#request)
    const notes = this.#tagUnreachable ? sayUnreachable(decision.notes) : decision.notes
    if (decision.bucket) {
      const provider = balancer.pick(decision.bucket, decision.leftOut)
      this.#router.ignorePolicyOf(provider.instance)
      return { decision, notes, provider, target: instanceTarget(this.#call, provider.instance, connectMs) }
    }
    const { baseline } = this.#call.service
    const byAddress = decision.reason === 'BASELINE_ADDRESS' && baseline !== undefined
    const target = byAddress ? baselineTarget(this.#call, baseline, connectMs) : undefined
    return { decision, notes, provider: undefined, target }
  }

  async #attempt(choice: Choice, attempt: number): Promise<Reply | Failure> {
    this.#publish(choice, attempt)
    const { provider, target } = choice
    const started = this.#router.clock.now()
    provider?.health.begin()
    try {
      const reply = await this.#next({ ...this.#call, attempt, ...(target === undefined ? {} : { target }) })
      void reply.done.then(() => provider?.health.end())
      if (reply.status === 421 && reply.header(REFUSED_HEADER) === 'ERR_WAYBILL_MISDIRECTED') {
        const failure = misdirected(this.#misdirection(choice))
        this.#learn(choice, started, failure)
        return failure
      }
      this.#learn(choice, started, reply)
      return reply
    } catch (error) {
      provider?.health.end()
      const failure = judgeFailure(error)
      this.#learn(choice, started, failure)
      return failure
    }
  }

  /** Tells balancer and ejection how it went. */
  #learn({ provider }: Choice, started: number, outcome: Reply | Failure): void {
    if (provider === undefined) return
    const { clock, ejection } = this.#router
    const failed = 'value' in outcome ? (outcome.status ?? 0) >= 500 : true
    // What the kit refused, or the caller gave up for reasons of its own, says nothing about the instance.
    if ('refused' in outcome && (outcome.refused || isGivenUp(this.#call.signal))) return
    const now = clock.now()
    provider.health.observe(now, failed ? Math.max(now - started, FAILURE_COST_MS) : now - started)
    const unreachable = 'unreachable' in outcome && outcome.unreachable
    ejection.report(this.#index, provider, unreachable ? 'unreachable' : failed ? 'failed' : 'well')
  }

  #leave(choice: Choice, { error, unreachable }: Failure): void {
    const { provider } = choice
    this.#failed.push(describeFailure(this.#addressOf(choice), error))
    if (provider === undefined) {
      this.#request = { ...this.#request, address: false }
      return
    }
    // A repeated call may go on to others only where nothing was done at the laptop.
    if (!provider.tagged || unreachable) this.#tried.push(provider.instance.id)
    if (provider.tagged && unreachable) this.#tagUnreachable = true
  }

  #tell(choice: Choice, reply: Reply): Reply {
    this.#note(choice)
    return reply
  }

  /** The client's own error, but where it is the name of a service that nobody has registered. */
  #fail(choice: Choice, failure: Failure): never {
    this.#router.triedBefore.remember(this.#call.id, this.#tried)
    if (choice.decision.reason === 'BASELINE_ADDRESS' && failure.unresolved) {
      this.#request = { ...this.#request, address: false }
      return this.#refuse(this.#choose(), failure.error)
    }
    this.#note(choice)
    throw failure.error
  }

  #refuse(choice: Choice, cause?: unknown): never {
    this.#publish(choice, 0)
    this.#note(choice)
    const { from } = this.#call
    throw noProvider({
      index: this.#index,
      request: this.#request,
      notes: choice.notes,
      environment: from.environment,
      registry: this.#router.placeOf(from),
      tried: this.#failed,
      ...(cause === undefined ? {} : { cause }),
    })
  }

  #note(choice: Choice): void {
    const { decision, notes, provider } = choice
    const at = leadsSomewhere(choice) ? this.#addressOf(choice) : undefined
    this.#call.note({
      service: this.#call.service.name,
      served: servedBy(provider, this.#request.clk),
      reason: decision.reason,
      notes: this.#tagUnreachable ? sayUnreachable(notes) : notes,
      ...(at === undefined ? {} : { at }),
    })
  }

  #publish({ decision, notes, provider, target }: Choice, attempt: number): void {
    if (!hasSubscribers('selected')) return
    publish('selected', {
      call: this.#call.id,
      attempt,
      service: this.#call.service.name,
      clk: this.#request.clk,
      reason: decision.reason,
      notes,
      instance: provider?.instance.id,
      address: target && formatAddress(target.host, target.port),
    })
  }

  #misdirection(choice: Choice): WaybillError {
    return new WaybillError('ERR_WAYBILL_MISDIRECTED', {
      service: this.#call.service.name,
      clk: this.#request.clk ?? '(untagged)',
      instance: choice.provider?.instance.id,
      at: this.#addressOf(choice),
    })
  }

  #addressOf({ target }: Choice): string | undefined {
    return target ? formatAddress(target.host, target.port) : this.#call.url?.host
  }
}

/** Aborted, and not by a time-out: that one does speak about the instance. */
function isGivenUp(signal: AbortSignal | undefined): boolean {
  return (
    signal?.aborted === true && (signal.reason as { name?: unknown } | undefined)?.name !== 'TimeoutError'
  )
}

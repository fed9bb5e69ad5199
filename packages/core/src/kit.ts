import { compose, type AdmittedArrival, type Interceptor } from './call.js'
import { checkArgument, checkOptions } from './check-argument.js'
import { Codec } from './codec.js'
import { configure } from './configuration.js'
import { Ledger, type Counters } from './counters.js'
import { headersOf, parseEdgeSources } from './edge-source.js'
import { ENGINE, type Engine } from './engine.js'
import { WaybillError } from './errors.js'
import { eventChannels, hasSubscribers, publish } from './events.js'
import type { Facts } from './facts.js'
import { declareFields, withFields } from './field.js'
import { fromParent, leaveDisabled, optionsText, parseOptions, withInherited } from './hand-shake.js'
import { InboundRules } from './inbound-rules.js'
import { joinThreads } from './join-threads.js'
import { checkOptionNames, type KitOptions } from './kit-options.js'
import { LossDetector } from './loss-detector.js'
import { sendAttempt } from './send-attempt.js'
import { rendezvous } from './rendezvous.js'
import { runInNewScope, runInScope, tryCurrentRecord } from './scope.js'
import { Services } from './services.js'
import { Topics } from './topics.js'
import { PeerJudge } from './trust.js'
import { readingRules } from './waybill-reader.js'
import { EMPTY_FACTS, WaybillRecord } from './waybill.js'
import { wireNames } from './wire-names.js'

/** The rules of one process, joined: what adapters, interceptors and the application share. */
export interface Kit {
  readonly facts: Facts
  /** Plain integers, always on. */
  readonly counters: Counters
  /** True after `disable()` or with `WAYBILL_DISABLED=1`: adapters are the identity. */
  readonly disabled: boolean
  /** Stops carrying and choosing, at once and for good. What protects others stays. */
  disable(): void
  /**
   * A function that runs each call of `fn` in a request of its own: empty key slot, hop 0, depth 0, the process's own
   * clk, if any. For what outlives the request in which it is set up. A disabled kit makes no requests: there each call
   * runs in no scope.
   * @throws WaybillError ERR_WAYBILL_CONFIGURATION for what is no function, and for an option that there is not.
   */
  detached<This, Args extends unknown[], Result>(
    fn: (this: This, ...args: Args) => Result,
    options?: DetachedOptions,
  ): (this: This, ...args: Args) => Result
}

/** How work is detached from the request in which it is set up. */
export interface DetachedOptions {
  /**
   * True: each call has the facts and the shard key of the waybill in whose scope the function was made, as they were
   * then, and is still a request of its own: what it binds is seen by no other call, and nothing is told to the former
   * reply. Made in no scope it is as with false. Default false: the process's root waybill, so that nobody's key and
   * tag live on in a job of the process.
   */
  readonly inherit?: boolean
}

/**
 * Makes a kit of options and environment variables, checks all of them, and lets every interceptor prepare. In a worker
 * thread what is not said is as with the last kit that the thread's parent had made before it started the worker.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for a missing or contradictory option, naming it and its variable;
 * ERR_WAYBILL_TWO_COPIES where another protocol of the package is loaded in this process.
 */
export function createKit(own: KitOptions = {}): Kit {
  // Copies that do not fit together are told of before any option is.
  const shared = rendezvous()
  checkOptionNames(own)
  const parent = fromParent()
  const options = parent === undefined ? own : withInherited(own, parseOptions(parent.options))
  const { facts, disabled, trust } = configure(options, process.env)
  shared.tracer?.beside(facts.inbound)
  const interceptors = options.interceptors ?? []
  checkOrder(interceptors)
  const ledger = new Ledger()
  // Fields that another kit of this process declared keep their place and travel by the same rule.
  const fields = withFields(options.fields ?? {})
  const names = wireNames(options.names ?? {}, options.aliases ?? {}, fields)
  const edgeFrom = parseEdgeSources(trust.edgeFrom ?? ['header'], names.facts.clk.header)
  const admitters = interceptors.filter((interceptor) => interceptor.admit !== undefined)
  const topics = new Topics(trust.topics)
  // A look at `process.pid` asks the system each time.
  const callIds = `${String(process.pid)}-`
  let calls = 0
  const engine: Engine = {
    facts,
    options: optionsText({ ...options, trust }, facts, disabled),
    ledger,
    channels: eventChannels(),
    reading: readingRules(names, ledger, facts.carriesClk),
    codec: new Codec(names, ledger, facts.carriesClk, headersOf(edgeFrom)),
    sameHop: new Codec(names, ledger, facts.carriesClk, headersOf(edgeFrom), 0),
    topics,
    inbound: new InboundRules(
      facts,
      ledger,
      new PeerJudge(trust.peers),
      edgeFrom,
      checkAdoptOwnClk(options.adoptOwnClk),
      topics,
    ),
    services: new Services(options.services ?? {}, trust.outbound ?? [], trust.notServices ?? []),
    loss: new LossDetector(ledger.counters, options.detectLoss !== false && !facts.production),
    pipeline: compose(interceptors, sendAttempt),
    root: () => new WaybillRecord({ ...EMPTY_FACTS, clk: facts.clk }),
    admit(kind, waybill) {
      for (const interceptor of admitters) {
        const refusal = interceptor.admit?.({ facts, kind, waybill } satisfies AdmittedArrival)
        if (refusal !== undefined) {
          ledger.counters.refused++
          if (hasSubscribers('refused')) {
            publish('refused', { code: refusal.code, call: undefined, service: undefined })
          }
          return refusal
        }
      }
      return undefined
    },
    nextCallId: () => callIds + String(++calls),
  }
  joinThreads(interceptors, engine, parent)
  declareFields(fields)
  if (facts.ignoredClks.length > 0) {
    ledger.drop(
      'in',
      'clks',
      'PRODUCTION',
      facts.ignoredClks.length,
      'A clk counts in production with devRouting: true only.',
    )
  }
  ;(shared.counters ??= []).push(ledger.counters)
  return (shared.kit = new RunningKit(engine, disabled))
}

const DETACHED = 'kit.detached(fn, options)'

class RunningKit implements Kit {
  readonly facts: Facts
  readonly counters: Counters
  readonly [ENGINE]: Engine
  #disabled: boolean

  constructor(engine: Engine, disabled: boolean) {
    this.facts = engine.facts
    this.counters = engine.ledger.counters
    this[ENGINE] = engine
    this.#disabled = disabled
    if (disabled) this.#tellDisabled('WAYBILL_DISABLED or the option disabled')
  }

  get disabled(): boolean {
    return this.#disabled
  }

  disable(): void {
    if (this.#disabled) return
    this.#disabled = true
    // Threads get the options of the last kit, which may have the same ones.
    if (rendezvous().kit === this) leaveDisabled(this[ENGINE].options)
    this.#tellDisabled('disable()')
  }

  detached<This, Args extends unknown[], Result>(
    fn: (this: This, ...args: Args) => Result,
    options: DetachedOptions = {},
  ): (this: This, ...args: Args) => Result {
    checkArgument(DETACHED, 'fn', fn, 'function')
    checkOptions(DETACHED, options, { inherit: 'boolean' })
    const { inherit = false } = options
    const engine = this[ENGINE]
    const creators = inherit ? tryCurrentRecord()?.inOwnRequest() : undefined
    const isDisabled = (): boolean => this.#disabled
    return function (this: This, ...args: Args): Result {
      // Not in the scope around it: what outlives its request would keep that one's key and tag for ever.
      if (isDisabled()) return runInScope(undefined, () => fn.apply(this, args))
      return runInNewScope(creators?.inOwnRequest() ?? engine.root(), () => fn.apply(this, args))
    }
  }

  #tellDisabled(by: string): void {
    if (hasSubscribers('audit')) {
      publish('audit', { action: 'disable', facts: { service: this.facts.service, by } })
    }
  }
}

function checkOrder(interceptors: readonly Interceptor[]): void {
  const given: unknown = interceptors
  if (!Array.isArray(given)) {
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', { option: 'interceptors', problem: 'not a list' })
  }
  interceptors.forEach((interceptor, index) => {
    if (typeof interceptor !== 'function') {
      throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
        option: `interceptors[${String(index)}]`,
        problem: `a ${typeof interceptor}; an interceptor is a function`,
      })
    }
    const later = interceptors.slice(index + 1).some((other) => other.sets === 'target')
    if (interceptor.needs === 'target' && later) {
      throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
        option: `interceptors[${String(index)}]`,
        problem:
          'judges the target and stands before one that sets it; the first is the outermost, so put it after',
      })
    }
  })
}

function checkAdoptOwnClk(value: KitOptions['adoptOwnClk']): 'loopback' | 'any' | 'never' {
  const checked = value ?? 'loopback'
  if (!['loopback', 'any', 'never'].includes(checked)) {
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
      option: 'adoptOwnClk',
      problem: 'one of loopback, any, never',
    })
  }
  return checked
}

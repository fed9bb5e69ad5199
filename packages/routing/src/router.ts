import { hasSubscribers, publish, WaybillError } from '@waybill/core/adapter'
import type { AnswerPieces, Clock, Facts, ParentLine } from '@waybill/core/adapter'
import type { Balancer } from './balance/balancer.js'
import { Ejection } from './ejection.js'
import { FollowedIndexes } from './followed-indexes.js'
import type { Instance } from './instance.js'
import { openRegistry } from './registries/open.js'
import type { Registry } from './registry.js'
import { RetryBudget } from './retry-budget.js'
import type { ServiceIndex } from './service-index.js'
import { SharedIndexes } from './shared-indexes.js'
import { TriedBefore } from './tried-before.js'

/** The baseline zone of every environment but production, where there is none. */
const SHARED_ZONE = 'az-ci'
/** Services whose providers ask for a policy, of which it has been said; further ones are not told. */
const MAX_TOLD = 64

export interface RouterOptions {
  readonly clock: Clock
  readonly connectMs: number
  readonly balancer: Balancer
  readonly registry: Registry | undefined
  readonly zone: string | undefined
  readonly local: ReadonlySet<string> | undefined
}

/** What one `route()` keeps between calls. */
export class Router {
  readonly clock: Clock
  readonly connectMs: number
  readonly balancer: Balancer
  readonly local: ReadonlySet<string> | undefined
  readonly ejection: Ejection
  readonly budget: RetryBudget = new RetryBudget()
  readonly triedBefore: TriedBefore = new TriedBefore()
  readonly #registry: Registry | undefined
  readonly #zone: string | undefined
  /** One interceptor may serve several kits, each with its own registry. */
  readonly #opened = new WeakMap<Facts, Registry>()
  /** The same for kits of a worker thread that read what the parent thread knows. */
  readonly #followed = new WeakMap<Facts, FollowedIndexes>()
  readonly #ready = new WeakSet<ServiceIndex>()
  readonly #told = new Set<string>()

  constructor(options: RouterOptions) {
    this.clock = options.clock
    this.connectMs = options.connectMs
    this.balancer = options.balancer
    this.local = options.local
    this.ejection = new Ejection({ clock: options.clock })
    this.#registry = options.registry
    this.#zone = options.zone
  }

  /**
   * The registry of a kit, opened at the first question.
   *
   * @throws WaybillError ERR_WAYBILL_CONFIGURATION where none is said, and what the registry refuses.
   */
  registryOf(facts: Facts): Registry {
    const known = this.#opened.get(facts)
    if (known) return known
    const registry = this.#registry ?? openConfigured(facts)
    registry.open(facts.environment)
    this.#opened.set(facts, registry)
    return registry
  }

  /**
   * In a worker thread: reads the parent's snapshots in the place of a registry, so that the process watches it once.
   * @returns false where this router was handed a registry of its own.
   */
  follow(facts: Facts, parent: ParentLine): boolean {
    if (this.#registry !== undefined) return false
    this.#followed.set(facts, new FollowedIndexes(facts.environment, parent, this.clock))
    return true
  }

  /** Answers those who {@link follow}, for one kit. */
  serve(facts: Facts, changed: () => void): (question: unknown) => AnswerPieces {
    const indexes = new SharedIndexes(changed)
    const { place } = this.registryOf(facts)
    return (question) => indexes.answer(question, place, (service) => this.indexOf(facts, service, undefined))
  }

  /** Where instances are looked up, for errors. */
  placeOf(facts: Facts): string {
    return this.#followed.get(facts)?.place ?? this.registryOf(facts).place
  }

  preferredZone(facts: Facts): string | undefined {
    return this.#zone ?? (facts.production ? facts.zone : SHARED_ZONE)
  }

  /** A service's instances, read at least once. */
  async indexOf(facts: Facts, service: string, signal: AbortSignal | undefined): Promise<ServiceIndex> {
    const followed = this.#followed.get(facts)
    if (followed !== undefined) return followed.current(service, signal)
    const registry = this.registryOf(facts)
    const index = registry.index(service)
    if (!this.#ready.has(index)) {
      await registry.ready(service, signal)
      this.#ready.add(index)
    }
    return index
  }

  /** The policy is the caller's alone; a provider that asks for one is not obeyed, and that is said once. */
  ignorePolicyOf({ service, metadata }: Instance): void {
    if (metadata['policy'] === undefined || this.#told.size >= MAX_TOLD || this.#told.has(service)) return
    // Nobody is told: then it is said to whoever comes later.
    if (!hasSubscribers('dropped')) return
    this.#told.add(service)
    publish('dropped', {
      direction: 'in',
      field: 'metadata.policy',
      reason: 'UNTRUSTED',
      count: 1,
      remedy: `The caller's own services.${service}.policy decides.`,
    })
  }
}

function openConfigured(facts: Facts): Registry {
  if (facts.registry !== undefined) return openRegistry(facts.registry, facts.environment)
  throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
    option: 'registry',
    variable: 'WAYBILL_REGISTRY',
    problem: 'in production it must be said; there is no default',
  })
}

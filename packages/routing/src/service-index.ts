import { tagOf } from '@waybill/core/adapter'
import { AddressBook } from './address-book.js'
import type { Resident } from './address-book.js'
import { CandidateView } from './candidate-view.js'
import type { Requirement, Standing } from './candidate-view.js'
import type { Instance } from './instance.js'
import { Provider } from './provider.js'
import { sameInstance } from './same-instance.js'
import { SteadyMap } from './steady-map.js'

export interface ServiceIndexOptions {
  /** An instance of another environment is held and shown, but is never a candidate. Default: any. */
  readonly environment?: string
  /**
   * True where the registry decides who owns a tag: a tagged instance is then a candidate only while `hold` names its
   * owner. Default false: whoever announces a tag serves it.
   */
  readonly claimed?: boolean
  /** Shared by the indexes of one registry, which then know of one another's tagged addresses. Default: its own. */
  readonly addresses?: AddressBook
}

/** Symbol.for: an index of another copy of the package is none the less one, and never a plain list. */
const BRAND: unique symbol = Symbol.for('@waybill/routing.index') as never

/** More requirements than this at once mean that they come from outside; the oldest view is given up. */
const MAX_VIEWS = 64

const NOBODY: readonly Provider[] = []

/**
 * One service's instances, in buckets, changed one by one. The registry writes, every caller in the process reads.
 * A change costs the same for ten instances and a hundred thousand, and so does a decision: nothing is ever rebuilt.
 */
export class ServiceIndex implements Iterable<Instance> {
  readonly [BRAND] = true
  readonly service: string
  readonly #environment: string | undefined
  readonly #claimed: boolean
  readonly #addresses: AddressBook
  readonly #providers = new SteadyMap<Provider>()
  readonly #byTag = new Map<string, Set<Provider>>()
  readonly #holders = new Map<string, string>()
  readonly #all = new CandidateView({})
  readonly #views = new Map<string, CandidateView>()
  readonly #resident: Resident = {
    rejudge: (providers, change) => {
      this.#reconsider(providers, change)
      this.#changed(providers)
    },
  }
  #localHosts: ReadonlySet<string> = new Set()
  readonly #observers: ((changed: Iterable<Provider>) => void)[] = []
  #stale = false
  #held = false
  #generation = 0
  #untagged = 0
  #ejected = 0

  constructor(service: string, options: ServiceIndexOptions = {}) {
    this.service = service
    this.#environment = options.environment
    this.#claimed = options.claimed ?? false
    this.#addresses = options.addresses ?? new AddressBook()
  }

  /** Set by the registry while it cannot be reached: what is here may have changed. */
  get stale(): boolean {
    return this.#stale
  }

  set stale(stale: boolean) {
    if (this.#stale === stale) return
    this.#stale = stale
    this.#tell(NOBODY)
  }

  /** Set by the snapshot guard while it keeps instances that vanished together. */
  get held(): boolean {
    return this.#held
  }

  set held(held: boolean) {
    if (this.#held === held) return
    this.#held = held
    this.#tell(NOBODY)
  }

  /**
   * Has an observer told, for good, whom each change concerns, among them providers that are gone by then; nobody, where
   * it concerns the index itself.
   */
  observe(observer: (changed: Iterable<Provider>) => void): void {
    this.#observers.push(observer)
  }

  /** Grows with every change that a decision could see. */
  get generation(): number {
    return this.#generation
  }

  get size(): number {
    return this.#providers.size
  }

  /** Untagged instances, candidates or not. */
  get untaggedCount(): number {
    return this.#untagged
  }

  /** Untagged instances that passive ejection has taken out. */
  get ejectedCount(): number {
    return this.#ejected
  }

  get(id: string): Instance | undefined {
    return this.#providers.get(id)?.instance
  }

  /** Adds or replaces by id. @returns false where that changed nothing. */
  put(instance: Instance): boolean {
    const known = this.#providers.get(instance.id)
    if (known && sameInstance(known.instance, instance)) return false
    if (known) this.#takeOut(known)
    const provider = new Provider(instance, known)
    this.#providers.set(instance.id, provider)
    if (!provider.tagged) this.#untagged += 1
    for (const clk of instance.clks) {
      const sharers = this.#byTag.get(tagOf(clk))
      if (sharers) sharers.add(provider)
      else this.#byTag.set(tagOf(clk), new Set([provider]))
    }
    this.#addresses.add(provider, this.#resident)
    this.#enter(provider)
    this.#changed([provider])
    return true
  }

  delete(id: string): boolean {
    const provider = this.#providers.get(id)
    if (provider === undefined) return false
    this.#takeOut(provider)
    this.#providers.delete(id)
    this.#changed([provider])
    return true
  }

  /** Says who holds a tag, or with undefined that nobody does. Counts only where tags are `claimed`. */
  hold(tag: string, owner: string | undefined): void {
    if (this.#holders.get(tag) === owner) return
    const sharers = [...(this.#byTag.get(tag) ?? [])]
    this.#reconsider(sharers, () => {
      if (owner === undefined) this.#holders.delete(tag)
      else this.#holders.set(tag, owner)
    })
    this.#changed(sharers)
  }

  holderOf(tag: string): string | undefined {
    return this.#holders.get(tag)
  }

  *[Symbol.iterator](): Iterator<Instance> {
    for (const { instance } of this.#providers.values()) yield instance
  }

  providers(): IterableIterator<Provider> {
    return this.#providers.values()
  }

  provider(id: string): Provider | undefined {
    return this.#providers.get(id)
  }

  /** Whether an instance belongs to the environment of this index. */
  covers(instance: Instance): boolean {
    return this.#environment === undefined || instance.environment === this.#environment
  }

  /** How the index sees a provider; undefined where it counts for nothing (another environment, a tagged address). */
  standing(provider: Provider): Standing | undefined {
    return provider.standing
  }

  /** What passive ejection has found. No change of the registry, so no generation. */
  judge(provider: Provider, verdict: { failing: boolean; ejected: boolean }): void {
    if (this.#providers.get(provider.instance.id) !== provider) return
    const { health } = provider
    if (health.failing === verdict.failing && health.ejected === verdict.ejected) return
    this.#reconsider([provider], () => {
      health.failing = verdict.failing
      health.ejected = verdict.ejected
    })
  }

  /** Which hosts are the caller's own, for `preferLocal`. Hand in the same set each time: another one costs a pass. */
  trackLocal(hosts: ReadonlySet<string>): void {
    if (hosts === this.#localHosts) return
    this.#reconsider([...this.#providers.values()], () => (this.#localHosts = hosts))
  }

  /** The buckets over what meets a requirement. The first question for one costs a pass, later ones a look-up. */
  view(requirement?: Requirement): CandidateView {
    if (requirement?.cell === undefined && requirement?.role === undefined) return this.#all
    const key = `${requirement.cell ?? ''}\n${requirement.role ?? ''}`
    const known = this.#views.get(key)
    if (known) return known
    const view = new CandidateView(requirement)
    this.#reconsider([...this.#providers.values()], () => {
      const oldest = this.#views.keys().next()
      if (this.#views.size >= MAX_VIEWS && !oldest.done) this.#views.delete(oldest.value)
      this.#views.set(key, view)
    })
    return view
  }

  #changed(providers: Iterable<Provider>): void {
    this.#generation += 1
    this.#tell(providers)
  }

  #tell(changed: Iterable<Provider>): void {
    for (const observer of this.#observers) observer(changed)
  }

  /** Takes a provider out of everything but the list by id, where another record may take its place. */
  #takeOut(provider: Provider): void {
    const { instance } = provider
    this.#leave(provider)
    if (!provider.tagged) this.#untagged -= 1
    for (const clk of instance.clks) {
      const sharers = this.#byTag.get(tagOf(clk))
      sharers?.delete(provider)
      if (sharers?.size === 0) this.#byTag.delete(tagOf(clk))
    }
    this.#addresses.remove(provider)
  }

  /** Takes providers out, changes what their standing depends on, and puts them back where they now belong. */
  #reconsider(providers: readonly Provider[], change: () => void): void {
    for (const provider of providers) this.#leave(provider)
    change()
    for (const provider of providers) this.#enter(provider)
  }

  #enter(provider: Provider): void {
    const standing = this.#judgeStanding(provider)
    if (standing === undefined) return
    provider.standing = standing
    if (provider.ejected) this.#ejected += 1
    for (const view of this.#viewsOf(provider)) view.enter(provider, standing)
  }

  #leave(provider: Provider): void {
    const { standing } = provider
    if (standing === undefined) return
    provider.standing = undefined
    if (provider.ejected) this.#ejected -= 1
    for (const view of this.#viewsOf(provider)) view.leave(provider, standing)
    for (const place of provider.places.splice(0)) place.bucket.remove(place)
  }

  *#viewsOf({ instance }: Provider): Iterable<CandidateView> {
    yield this.#all
    for (const view of this.#views.values()) if (view.admits(instance)) yield view
  }

  #judgeStanding(provider: Provider): Standing | undefined {
    const { instance, tagged } = provider
    if (!this.covers(instance)) return undefined
    if (!tagged && this.#addresses.isTagged(instance)) return undefined
    return {
      candidate: instance.enabled && instance.weight > 0 && !provider.ejected,
      serves: this.#claimed
        ? instance.clks.filter((clk) => this.#isHeldBy(tagOf(clk), instance.owner))
        : instance.clks,
      local: !tagged && this.#localHosts.has(instance.host),
    }
  }

  #isHeldBy(tag: string, owner: string | undefined): boolean {
    return owner !== undefined && this.#holders.get(tag) === owner
  }
}

/**
 * Tells an index from a plain list. Both can be iterated, and as a list an index would lose what it knows: its
 * environment, who holds which tag, who is ejected.
 */
export function isServiceIndex(source: unknown): source is ServiceIndex {
  return typeof source === 'object' && source !== null && (source as Record<symbol, unknown>)[BRAND] === true
}

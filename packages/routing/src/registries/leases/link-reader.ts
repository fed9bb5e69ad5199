import type { Clock } from '@waybill/core/adapter'
import type { Instance } from '../../instance.js'
import { readInstance } from '../../instance.js'
import type { RegistryView } from '../../registry-view.js'
import { takeAll } from '../../sliced.js'
import type { Sliced } from '../../sliced.js'
import type { BackOff } from './back-off.js'
import type { LeaseChange, LeaseLink, LeaseSnapshot, LinkWatch } from './lease-link.js'
import { isSameRecord } from './same-record.js'

export interface LinkReaderOptions {
  readonly link: LeaseLink
  readonly clock: Clock
  readonly view: RegistryView
  readonly environment: string
  readonly backOff: BackOff
  readonly sliced: Sliced
}

/** A removal that the connection's end follows within this time was a symptom of it, not news. */
const SYMPTOM_MS = 1_000
/** So many are taken in before anybody else has a turn; more in slices. */
const AT_ONCE = 256

/**
 * The reading half of a lease registry: one watch at a time, everything read again once per lease, and while the
 * server is away the last snapshot stays, as stale. A snapshot that says nothing new publishes nothing. While a large one
 * is taken in, changes wait for it in their order; a newer snapshot takes its place.
 */
export class LinkReader {
  /** Records that could not be read. */
  dropped = 0
  readonly #options: LinkReaderOptions
  readonly #waiting = new Set<() => void>()
  #watch: LinkWatch | undefined
  #connection = 0
  #read = false
  #stopped = false
  #cancelRetry: () => void = () => {}
  #cancelResync: () => void = () => {}
  /** Came after the snapshot that is being taken in. */
  #later: LeaseChange[] = []
  #recent: { readonly at: number; readonly instance: Instance }[] = []

  constructor(options: LinkReaderOptions) {
    this.#options = options
  }

  start(): void {
    const { clock, link, sliced } = this.#options
    this.#cancelResync = clock.every(link.ttlMs, () => {
      // One that takes longer than a lease would never end otherwise.
      if (!sliced.busy) this.#watch?.resync()
    })
    this.#connect()
  }

  stop(): void {
    this.#stopped = true
    this.#connection += 1
    this.#cancelRetry()
    this.#cancelResync()
    this.#watch?.close()
    this.#giveUp()
    this.#settle()
  }

  /** Resolves once there was a snapshot, or none can be had for now. */
  ready(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    if (this.#read || this.#stopped) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const done = (): void => {
        signal?.removeEventListener('abort', aborted)
        resolve()
      }
      const aborted = (): void => {
        this.#waiting.delete(done)
        reject(signal?.reason as Error)
      }
      this.#waiting.add(done)
      signal?.addEventListener('abort', aborted, { once: true })
    })
  }

  #connect(): void {
    const { link, environment } = this.#options
    const connection = (this.#connection += 1)
    // A connection that was given up may still speak; it is not listened to.
    const isCurrent = (): boolean => connection === this.#connection
    try {
      this.#watch = link.connect(environment, {
        snapshot: (snapshot) => {
          if (isCurrent()) this.#takeSnapshot(snapshot)
        },
        changed: (change) => {
          if (isCurrent()) this.#takeChange(change)
        },
        broken: () => {
          if (isCurrent()) this.#lose()
        },
      })
      // Broken before it stood: what `connect` returned belongs to nobody.
      if (!isCurrent()) this.#watch.close()
    } catch {
      if (isCurrent()) this.#lose()
    }
  }

  #takeSnapshot(snapshot: LeaseSnapshot): void {
    const { view, backOff, sliced } = this.#options
    backOff.reset()
    // A newer one knows of them.
    this.#giveUp()
    const isSmall = snapshot.size <= AT_ONCE && view.size <= AT_ONCE
    if (isSmall) sliced.runWhole(this.#replacing(snapshot))
    else sliced.begin(this.#replacing(snapshot))
  }

  *#replacing({ instances, holders }: LeaseSnapshot): Generator<undefined, void> {
    const { view } = this.#options
    yield* view.replacing(this.#reading(instances), holders)
    view.setUnreachable(false)
    this.#read = true
    this.#settle()
    yield* this.#catchingUp()
  }

  #takeChange(change: LeaseChange): void {
    const { sliced } = this.#options
    if (!sliced.busy && sizeOf(change) <= AT_ONCE) {
      takeAll(this.#changing(change))
      return
    }
    this.#later.push(change)
    if (!sliced.busy) sliced.begin(this.#catchingUp())
  }

  *#catchingUp(): Generator<undefined, void> {
    for (let change = this.#later.shift(); change !== undefined; change = this.#later.shift()) {
      yield* this.#changing(change)
    }
  }

  *#changing({ put = [], remove = [], holders }: LeaseChange): Generator<undefined, void> {
    const { view, clock } = this.#options
    const now = clock.now()
    this.#recent = this.#recent.filter(({ at }) => now - at < SYMPTOM_MS)
    for (const id of remove) {
      const instance = view.get(id)
      if (instance !== undefined) this.#recent.push({ at: now, instance })
      yield
    }
    for (const [tag, owner] of holders ?? []) {
      view.holdOne(tag, owner)
      yield
    }
    yield* view.dropping(remove)
    for (const instance of this.#reading(put)) {
      if (instance !== undefined) view.put(instance)
      yield
    }
  }

  /** Gives up what is being taken in, and what waits for it. */
  #giveUp(): void {
    this.#options.sliced.cancel()
    this.#later = []
  }

  #lose(): void {
    const { view, clock, backOff } = this.#options
    this.#connection += 1
    this.#watch?.close()
    this.#watch = undefined
    this.#giveUp()
    view.setUnreachable(true)
    const now = clock.now()
    for (const { at, instance } of this.#recent) {
      // Whether they are gone is for the next snapshot to say.
      if (now - at < SYMPTOM_MS && view.get(instance.id) === undefined) view.put(instance)
    }
    this.#recent = []
    this.#settle()
    this.#cancelRetry = clock.after(backOff.next(), () => {
      this.#connect()
    })
  }

  /** What came from outside is read like anything from outside, once. */
  *#reading(instances: Iterable<Instance>): Generator<Instance | undefined, void> {
    for (const raw of instances) yield this.#readOne(raw)
  }

  #readOne(raw: Instance): Instance | undefined {
    const { id } = (raw as Partial<Instance> | null) ?? {}
    const known = typeof id === 'string' ? this.#options.view.get(id) : undefined
    if (known !== undefined && isSameRecord(raw, known)) return known
    const reading = readInstance(raw)
    if ('instance' in reading) return reading.instance
    this.dropped += 1
    return undefined
  }

  #settle(): void {
    for (const done of this.#waiting) done()
    this.#waiting.clear()
  }
}

function sizeOf({ put = [], remove = [] }: LeaseChange): number {
  return put.length + remove.length
}

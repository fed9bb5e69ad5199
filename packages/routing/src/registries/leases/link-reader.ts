import type { Clock } from '@waybill/core/adapter'
import type { Instance } from '../../instance.js'
import { readInstance } from '../../instance.js'
import type { RegistryView } from '../../registry-view.js'
import type { BackOff } from './back-off.js'
import type { LeaseChange, LeaseLink, LeaseSnapshot, LinkWatch } from './lease-link.js'

export interface LinkReaderOptions {
  readonly link: LeaseLink
  readonly clock: Clock
  readonly view: RegistryView
  readonly environment: string
  readonly backOff: BackOff
}

/** A removal that the connection's end follows within this time was a symptom of it, not news. */
const SYMPTOM_MS = 1_000

/**
 * The reading half of a lease registry: one watch at a time, everything read again once per lease, and while the
 * server is away the last snapshot stays, as stale. A snapshot that says nothing new publishes nothing.
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
  #recent: { readonly at: number; readonly instance: Instance }[] = []

  constructor(options: LinkReaderOptions) {
    this.#options = options
  }

  start(): void {
    const { clock, link } = this.#options
    this.#cancelResync = clock.every(link.ttlMs, () => this.#watch?.resync())
    this.#connect()
  }

  stop(): void {
    this.#stopped = true
    this.#connection += 1
    this.#cancelRetry()
    this.#cancelResync()
    this.#watch?.close()
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

  #takeSnapshot({ instances, holders }: LeaseSnapshot): void {
    const { view, backOff } = this.#options
    backOff.reset()
    this.#recent = []
    view.setUnreachable(false)
    view.replace(this.#readable(instances), holders)
    this.#read = true
    this.#settle()
  }

  #takeChange({ put = [], remove = [], holders }: LeaseChange): void {
    const { view, clock } = this.#options
    const now = clock.now()
    this.#recent = this.#recent.filter(({ at }) => now - at < SYMPTOM_MS)
    for (const id of remove) {
      const instance = view.get(id)
      if (instance !== undefined) this.#recent.push({ at: now, instance })
    }
    if (holders !== undefined) view.holdSome(holders)
    view.drop(remove)
    for (const instance of this.#readable(put)) view.put(instance)
  }

  #lose(): void {
    const { view, clock, backOff } = this.#options
    this.#connection += 1
    this.#watch?.close()
    this.#watch = undefined
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

  /** What came from outside is read like anything from outside. */
  #readable(instances: readonly Instance[]): Instance[] {
    return instances.flatMap((raw) => {
      const reading = readInstance(raw)
      if ('instance' in reading) return reading.instance
      this.dropped += 1
      return []
    })
  }

  #settle(): void {
    for (const done of this.#waiting) done()
    this.#waiting.clear()
  }
}

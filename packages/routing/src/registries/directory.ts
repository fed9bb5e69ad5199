import { systemClock, WaybillError } from '@waybill/core/adapter'
import type { Clock } from '@waybill/core/adapter'
import type { Instance } from '../instance.js'
import type { InstanceChange, Lease, Registry } from '../registry.js'
import { RegistryView } from '../registry-view.js'
import type { ServiceIndex } from '../service-index.js'
import { defaultPath } from './directory/default-path.js'
import { watchFolders } from './directory/folder-watch.js'
import { holdersIn, isEnded, LeaseStore } from './directory/lease-store.js'
import { LifeBook } from './directory/life-book.js'
import { OwnLeases } from './directory/own-leases.js'
import { registryPath } from './registry-path.js'

export interface DirectoryRegistryOptions {
  /** The folder where the processes of this machine meet. A relative one is seen from the working folder. Default `$XDG_RUNTIME_DIR/waybill`, else `~/.waybill/run`. */
  readonly path?: string
  /** Default: the machine's. */
  readonly clock?: Clock
}

/** How often every known process is looked at, beside the look before each choice. */
const LIFE_EVERY_MS = 250
/** How often the folder is read although no watch said anything: the slowest that anybody learns of a change. */
const READ_EVERY_MS = 1_000
const CLEAN_EVERY_MS = 60_000
/** One writer's rename comes as several hints. */
const SETTLE_MS = 10
/** However many change their leases, reading takes a fifth of the thread at most. */
const REST_SHARE = 4
/** A file that is missing may be one that is just being taken back. */
const AWAIT_MS = 50
/** A look at a service's processes is good for this long: at 1 µs each they may be asked on every call, nearly. */
const LOOK_MS = 20

/**
 * A folder as a registry: every process of one machine and one user keeps a lease file there. There is no server and
 * no heartbeat; whether an instance lives is told from its process, so one that is paused at a breakpoint, stopped or
 * asleep keeps its place, and one that was killed has lost it at once.
 *
 * Developers' instances lie in a folder of their own (`developers`), where nobody looks who reads `baseline` alone.
 */
export function directoryRegistry(options: DirectoryRegistryOptions = {}): Registry {
  return new DirectoryRegistry(registryPath(options.path ?? defaultPath()), options.clock ?? systemClock)
}

interface Opened {
  readonly environment: string
  readonly store: LeaseStore
  readonly view: RegistryView
  readonly own: OwnLeases
}

class DirectoryRegistry implements Registry {
  readonly kind = 'directory'
  readonly place: string
  readonly life = 'process'
  readonly watchMs: number = LIFE_EVERY_MS
  readonly #root: string
  readonly #clock: Clock
  readonly #book = new LifeBook()
  #holders: ReadonlyMap<string, string> = new Map()
  #shown: ReadonlySet<string> = new Set()
  #opened: Opened | undefined
  #closed = false
  #reading: (() => void) | undefined
  #unwatch = (): void => {}
  #timers: (() => void)[] = []
  #restMs = SETTLE_MS

  constructor(root: string, clock: Clock) {
    this.#root = root
    this.place = `directory:${root}`
    this.#clock = clock
  }

  get closed(): boolean {
    return this.#closed
  }

  get dropped(): number {
    return this.#opened?.store.dropped ?? 0
  }

  open(environment: string): void {
    if (this.#opened?.environment === environment && !this.#closed) return
    if (this.#closed || this.#opened !== undefined) throw this.#refusal(environment)
    if (!/^[a-z0-9_-]{1,63}$/.test(environment)) throw this.#refusal(environment)
    const store = new LeaseStore(this.#root, environment)
    const view = new RegistryView({ environment, clock: this.#clock, leaseMs: READ_EVERY_MS })
    const own = new OwnLeases(store, () => {
      this.#read()
    })
    this.#opened = { environment, store, view, own }
    this.#read()
    this.#watchFolders()
    this.#timers = [
      this.#clock.every(LIFE_EVERY_MS, () => {
        this.#lookAtAll()
      }),
      this.#clock.every(READ_EVERY_MS, () => {
        this.#read()
      }),
      this.#clock.every(CLEAN_EVERY_MS, () => {
        this.#clean()
      }),
    ]
  }

  index(service: string): ServiceIndex {
    const { view } = this.#open()
    if (this.#book.look(service, this.#clock.now(), LOOK_MS)) this.#lookAtAll()
    return view.index(service)
  }

  ready(_service: string, signal?: AbortSignal): Promise<void> {
    // Read by `open`; what cannot be read is found out there too.
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) reject(signal.reason as Error)
      else resolve()
    })
  }

  watch(service: string, listener: (change: InstanceChange) => void): () => void {
    return this.#open().view.watch(service, listener)
  }

  async register(instance: Instance): Promise<Lease> {
    const { own, environment } = this.#open()
    if (this.#closed || instance.environment !== environment) throw this.#refusal(instance.environment)
    const lease = own.add(instance)
    this.#read()
    return lease
  }

  async revoke(tag: string): Promise<readonly Instance[]> {
    const revoked = this.#open().store.revoke(tag)
    this.#read()
    return revoked
  }

  async close(): Promise<void> {
    if (this.#closed) return
    await this.#opened?.own.release()
    this.#closed = true
    for (const stop of this.#timers) stop()
    this.#reading?.()
    this.#unwatch()
    this.#opened?.view.clear()
  }

  /** Reads what has changed, keeps the own leases, and publishes the difference. */
  #read(): void {
    this.#reading?.()
    this.#reading = undefined
    if (this.#closed || this.#opened === undefined) return
    const { store, view, own } = this.#opened
    const from = performance.now()
    try {
      const records = store.read()
      const claims = store.claims()
      const awaited = this.#book.replace(records, this.#clock.now(), (record) => isEnded(claims, record))
      view.setUnreachable(awaited)
      if (awaited) this.#readSoon(AWAIT_MS)
      this.#holders = holdersIn(claims)
      own.keep(claims, records)
    } catch {
      // The folder has gone, or became unsafe. What was known stays, as stale, and own leases are written again.
      view.setUnreachable(true)
      this.#repair()
      return
    }
    this.#publish()
    this.#restMs = Math.max(SETTLE_MS, (performance.now() - from) * REST_SHARE)
  }

  #repair(): void {
    try {
      this.#opened?.store.makeFolders()
      this.#watchFolders()
      if (this.#opened !== undefined) this.#opened.own.keep(this.#opened.store.claims(), [])
    } catch {
      // Tried again with the next read.
    }
  }

  #lookAtAll(): void {
    if (this.#book.judge()) this.#publish()
  }

  #publish(): void {
    if (this.#opened === undefined) return
    const { store, view } = this.#opened
    const shown = this.#book.shown()
    const ids = new Set(shown.map(({ id }) => id))
    for (const id of this.#shown) if (!ids.has(id)) view.remove(id)
    view.hold(this.#holders)
    for (const instance of shown) view.put(instance)
    this.#shown = ids
    for (const record of this.#book.buried(this.#clock.now())) store.remove(record)
  }

  #clean(): void {
    try {
      this.#opened?.store.clean(this.#clock.wall())
    } catch {
      // The folder has gone; there is nothing to clean.
    }
  }

  #readSoon(ms: number): void {
    this.#reading ??= this.#clock.after(ms, () => {
      this.#reading = undefined
      this.#read()
    })
  }

  #watchFolders(): void {
    this.#unwatch()
    this.#unwatch = watchFolders(this.#opened?.store.watched ?? [], () => {
      this.#readSoon(this.#restMs)
    })
  }

  #open(): Opened {
    if (this.#opened === undefined) throw this.#refusal(undefined)
    return this.#opened
  }

  #refusal(environment: string | undefined): WaybillError {
    const why = this.#closed ? 'closed' : `open for ${this.#opened?.environment ?? 'no environment'}`
    return new WaybillError('ERR_WAYBILL_REGISTRY', { registry: 'directory', environment, why })
  }
}

import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import {
  hasSubscribers,
  isWaybillError,
  publish,
  systemClock,
  tagOf,
  WaybillError,
} from '@waybill/core/adapter'
import type { Clock } from '@waybill/core/adapter'
import type { Instance } from '../instance.js'
import type { InstanceChange, Lease, Registry } from '../registry.js'
import { RegistryView } from '../registry-view.js'
import type { ServiceIndex } from '../service-index.js'
import { parseRegistryFile } from './file/parse-registry-file.js'
import { Settling } from './file/settling.js'
import { watchFile } from './file/watch-file.js'
import { registryPath } from './registry-path.js'

export interface FileRegistryOptions {
  /** YAML or JSON; JSON is YAML too. Holds the untagged instances. A relative path is seen from the working folder. */
  readonly path: string
  /**
   * Holds the tagged instances, so that whoever reads `path` without the kit never sees one. May be missing. Default:
   * beside it, `registry.yaml` → `registry.developers.yaml`.
   */
  readonly developersPath?: string
  /** How often the files are read although nothing told of a change, in milliseconds. Default 1,000. */
  readonly pollMs?: number
  /** How long instances that vanish together stay, as stale, in milliseconds. Default 10,000. */
  readonly leaseMs?: number
  /** Default: the machine's. */
  readonly clock?: Clock
}

/**
 * A file as a registry: static instances, read again when the file changes, changed one by one. A mistake in it leaves
 * the last good snapshot in use, as stale, and is an `audit` event (`registry-file`) with file, line and field; at
 * `open`, where there is no last one, it is thrown. Nobody can announce here.
 */
export function fileRegistry(options: FileRegistryOptions): Registry {
  return new FileRegistry(options)
}

const POLL_MS = 1_000
const LEASE_MS = 10_000
/** What a developers' file says that need not be there. */
const NOBODY = 'instances: []'

class FileRegistry implements Registry {
  readonly kind = 'file'
  readonly place: string
  readonly life = 'static'
  readonly watchMs: number
  readonly dropped = 0
  readonly #path: string
  readonly #developersPath: string
  readonly #clock: Clock
  readonly #leaseMs: number
  #opened: { readonly environment: string; readonly view: RegistryView } | undefined
  readonly #settling: Settling
  #texts: readonly string[] | undefined
  #mistake: string | undefined
  #stops: (() => void)[] = []
  #closed = false

  constructor({
    path,
    developersPath,
    pollMs = POLL_MS,
    leaseMs = LEASE_MS,
    clock = systemClock,
  }: FileRegistryOptions) {
    this.#path = registryPath(path)
    this.place = `file:${this.#path}`
    this.#developersPath = registryPath(developersPath ?? besides(this.#path))
    this.watchMs = pollMs
    this.#leaseMs = leaseMs
    this.#clock = clock
    this.#settling = new Settling(clock, () => {
      this.#readAgain()
    })
  }

  get closed(): boolean {
    return this.#closed
  }

  open(environment: string): void {
    if (this.#opened?.environment === environment && !this.#closed) return
    if (this.#closed || this.#opened !== undefined)
      throw this.#refusal('it is closed, or open for another environment')
    const view = new RegistryView({ environment, clock: this.#clock, leaseMs: this.#leaseMs })
    this.#opened = { environment, view }
    try {
      this.#read('first')
    } catch (error) {
      this.#opened = undefined
      throw error
    }
    this.#stops = [this.#path, this.#developersPath].map((path) =>
      watchFile(path, this.#clock, this.watchMs, () => {
        this.#readAgain()
      }),
    )
  }

  index(service: string): ServiceIndex {
    return this.#view().index(service)
  }

  ready(_service: string, signal?: AbortSignal): Promise<void> {
    // Read by `open`, or `open` has thrown.
    return signal?.aborted === true ? Promise.reject(signal.reason as Error) : Promise.resolve()
  }

  watch(service: string, listener: (change: InstanceChange) => void): () => void {
    return this.#view().watch(service, listener)
  }

  async register(): Promise<Lease> {
    throw this.#refusal('its instances are written into the file by hand')
  }

  async revoke(): Promise<readonly Instance[]> {
    throw this.#refusal('its instances are taken out of the file by hand')
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const stop of this.#stops.splice(0)) stop()
    this.#settling.stop()
    this.#opened?.view.clear()
  }

  #readAgain(): void {
    const { view } = this.#opened ?? {}
    try {
      if (this.#read('again')) view?.setUnreachable(false)
    } catch (error) {
      view?.setUnreachable(true)
      if (!isWaybillError(error)) throw error
    }
  }

  /**
   * Reads both files and takes over what changed.
   *
   * @returns false where somebody seems to be writing: then it is read again soon.
   * @throws WaybillError `ERR_WAYBILL_REGISTRY_FILE`
   */
  #read(time: ReadTime): boolean {
    const found = [this.#find(this.#path, true, time), this.#find(this.#developersPath, false, time)]
    const texts = found.map((each) => (typeof each === 'string' ? each : `cannot be read: ${each.message}`))
    if (this.#texts?.every((text, at) => text === texts[at]) === true) {
      this.#settling.stop()
      return true
    }
    if (time === 'again' && !this.#settling.isStill(texts)) return false
    try {
      const [shared = '', developers = ''] = found.map((each) => {
        if (typeof each !== 'string') throw each
        return each
      })
      this.#takeOver(shared, developers, time)
      this.#texts = texts
      this.#mistake = undefined
      return true
    } catch (error) {
      this.#texts = undefined
      // Once, not with every look at a file that is still wrong.
      if (isWaybillError(error) && error.message !== this.#mistake) {
        this.#mistake = error.message
        if (hasSubscribers('audit')) {
          const facts = { code: error.code, ...error.facts, remedy: error.remedy }
          publish('audit', { action: 'registry-file', facts })
        }
      }
      throw error
    }
  }

  #takeOver(shared: string, developers: string, time: ReadTime): void {
    if (this.#opened === undefined) return
    const { environment, view } = this.#opened
    const [path, developersPath] = [this.#path, this.#developersPath]
    const both = { environment, remedy: remedyOf('Correct the line named here', time) }
    const instances = [
      ...parseRegistryFile(shared, {
        ...both,
        file: path,
        tagged: false,
        otherFile: basename(developersPath),
      }),
      ...parseRegistryFile(developers, {
        ...both,
        file: developersPath,
        tagged: true,
        otherFile: basename(path),
      }),
    ]
    const holders = new Map<string, string>()
    for (const { clks, owner } of instances)
      for (const clk of clks) if (owner !== undefined) holders.set(tagOf(clk), owner)
    view.replace(instances, holders)
  }

  #find(path: string, required: boolean, time: ReadTime): string | WaybillError {
    try {
      return readFileSync(path, 'utf8')
    } catch (cause) {
      const { code = 'unknown' } = cause as NodeJS.ErrnoException
      if (!required && code === 'ENOENT') return NOBODY
      const step = code === 'ENOENT' ? 'Create it' : 'Make it a file that this user can read'
      return new WaybillError(
        'ERR_WAYBILL_REGISTRY_FILE',
        { file: path, problem: `cannot be read (${code})` },
        { cause, remedy: remedyOf(`${step}, or correct WAYBILL_REGISTRY`, time) },
      )
    }
  }

  #view(): RegistryView {
    if (this.#opened === undefined) throw this.#refusal('it is not open')
    return this.#opened.view
  }

  #refusal(why: string): WaybillError {
    return new WaybillError(
      'ERR_WAYBILL_REGISTRY',
      { registry: 'file', file: this.#path, why },
      { remedy: 'Announce in a registry that takes registrations, such as directory:.' },
    )
  }
}

type ReadTime = 'first' | 'again'

/** At the first reading there is no snapshot that could stay, and nobody reads again. */
function remedyOf(step: string, time: ReadTime): string {
  return time === 'first' ? `${step}.` : `${step}; until then the last good snapshot stays in use.`
}

/** `registry.yaml` → `registry.developers.yaml` */
function besides(path: string): string {
  const extension = extname(path)
  return `${path.slice(0, path.length - extension.length)}.developers${extension}`
}

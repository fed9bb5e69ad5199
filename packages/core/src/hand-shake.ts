import { randomUUID } from 'node:crypto'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { WaybillError } from './errors.js'
import type { Facts } from './facts.js'
import type { KitOptions } from './kit-options.js'
import { rendezvous } from './rendezvous.js'
import type { LineAddress } from './thread-line.js'

/** Versioned: a worker thread may load another release of the package than the thread that made it. */
const KEY = '@waybill/hand-shake@1'

/** What a thread leaves for the worker threads that it makes afterwards. */
export interface HandShake {
  /** {@link optionsText}. */
  readonly options: string
  /** Where each of its interceptors that shares something can be asked, by the name of what it shares. */
  readonly lines: Readonly<Record<string, LineAddress>>
  /** {@link threadSecret}. */
  readonly secret?: string
  /** True where it came from another process, none of whose interceptors can be asked. */
  readonly ofProcess?: true
}

/**
 * Leaves it for every worker thread that is made from now on, by whatever library. Node clones it into each; one that
 * exists already is not reached.
 */
export function leaveForWorkers(handShake: HandShake): void {
  // Read before it is overwritten: in a worker thread the parent's stands in the same place.
  const secret = threadSecret()
  setEnvironmentData(KEY, { ...handShake, secret })
}

/** Threads that are made from now on are disabled too, if it is this kit's options that they would get. */
export function leaveDisabled(options: string): void {
  const left = getEnvironmentData(KEY) as unknown as HandShake | undefined
  if (left?.options !== options) return
  const disabled = JSON.stringify({ ...parseOptions(options), disabled: true } satisfies KitOptions)
  setEnvironmentData(KEY, { ...left, options: disabled })
}

/**
 * What the threads of this process know and no message can: its kits leave it for the threads that they make. With it
 * an adapter marks what it has put around a value, so that data which merely looks the same stays data.
 */
export function threadSecret(): string {
  const shared = rendezvous()
  return (shared.secret ??= fromParent()?.secret ?? randomUUID())
}

/** What the thread that made this one has left; undefined in the main thread, and where no kit had been made there. */
export function fromParent(): HandShake | undefined {
  const shared = rendezvous()
  if (shared.parent === undefined) {
    const left = isMainThread ? undefined : (getEnvironmentData(KEY) as unknown as HandShake | undefined)
    shared.parent = left ?? null
  }
  return shared.parent ?? undefined
}

/**
 * Options for a kit of a worker: what is said there counts, and all else is as with the parent. They come before the
 * environment, of which a worker has a copy that knows nothing of the options of the parent.
 */
export function withInherited(own: KitOptions, inherited: KitOptions): KitOptions {
  const trust = { ...inherited.trust, ...said(own.trust ?? {}) }
  return { ...inherited, ...said(own), trust }
}

function said<Options extends object>(options: Options): Partial<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<Options>
}

/** Everything of a kit that is plain data, as options that make the same kit elsewhere. */
export function optionsText(options: KitOptions, facts: Facts, disabled: boolean): string {
  const { interceptors: _code, ...plain } = options
  const inherited: KitOptions = {
    ...plain,
    service: facts.service,
    environment: facts.environment,
    ...(facts.cell === undefined ? {} : { cell: facts.cell }),
    ...(facts.zone === undefined ? {} : { zone: facts.zone }),
    clks: [...facts.clks, ...facts.ignoredClks],
    owner: facts.owner,
    baseline: facts.baselineAddress ?? facts.baseline,
    ...(facts.registry === undefined ? {} : { registry: facts.registry }),
    ...(facts.advertise === undefined ? {} : { advertise: facts.advertise }),
    disabled,
    trust: { ...options.trust, inbound: facts.inbound },
  }
  try {
    return JSON.stringify(inherited)
  } catch (cause) {
    throw new WaybillError(
      'ERR_WAYBILL_CONFIGURATION',
      {
        option: 'createKit',
        problem: 'options are plain data, but for interceptors: JSON cannot hold these',
      },
      { cause },
    )
  }
}

/**
 * The same for another process, which reads its registry, its owner and its address out of its own environment: no
 * credentials go there.
 */
export function textForProcess(text: string, disabled: boolean): string {
  const { registry: _registry, owner: _owner, advertise: _advertise, ...options } = parseOptions(text)
  return JSON.stringify({ ...options, disabled }, (_name, value: unknown) =>
    typeof value === 'string' ? value.replace(USER_INFO, '$1') : value,
  )
}

/** In a URL. */
const USER_INFO = /^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i

/** The options in such a text; none where it is no such text. */
export function parseOptions(text: string | undefined): KitOptions {
  if (text === undefined) return {}
  try {
    const options: unknown = JSON.parse(text)
    return typeof options === 'object' && options !== null ? options : {}
  } catch {
    return {}
  }
}

import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
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
  /** Where its interceptors can be asked; undefined where none of them shares anything. */
  readonly line: LineAddress | undefined
}

/**
 * Leaves it for every worker thread that is made from now on, by whatever library. Node clones it into each; one that
 * exists already is not reached.
 */
export function leaveForWorkers(handShake: HandShake): void {
  // Read before it is overwritten: in a worker thread the parent's stands in the same place.
  fromParent()
  setEnvironmentData(KEY, handShake)
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
  return JSON.stringify(inherited)
}

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

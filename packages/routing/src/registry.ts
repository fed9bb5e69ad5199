import type { Instance } from './instance.js'
import type { ServiceIndex } from './service-index.js'

/**
 * How a registry knows that an instance lives. `process`: from the process itself (and so all of its readers are on
 * the instance's machine); `beats`: from heartbeats within a lease; `static`: it does not, somebody wrote it down.
 */
export type RegistryLife = 'process' | 'beats' | 'static'

/** One thing that became true. `changed` hands over the new record. */
export interface InstanceChange {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly instance: Instance
}

/**
 * `held`; `lost`: the registry no longer knows us, and the kit tries to get the place back; `revoked`: somebody
 * released the tag, or another owner took it meanwhile, and nothing is tried; `released`: by ourselves.
 */
export type LeaseState = 'held' | 'lost' | 'revoked' | 'released'

/** A registration of this process. */
export interface Lease {
  /** As registered; the address may have moved since. */
  readonly instance: Instance
  readonly state: LeaseState
  /** Calls the listener on each later state, in order. Returns its removal. */
  watch(listener: (state: LeaseState) => void): () => void
  /** Takes the instance out, for good: whatever beats are still on their way. A second call does nothing. */
  release(): Promise<void>
}

/** Where the instances of one environment are looked up and announced. */
export interface Registry {
  /** A word for log lines and errors: `memory`, `file`, `directory`. */
  readonly kind: string
  /**
   * Where it looks, as the URL that names it, for log lines and errors: `directory:/home/a/.waybill/run`,
   * `file:/etc/w.yaml`, `memory`. Absolute, without credentials; errors escape what is not printable ASCII.
   */
  readonly place: string
  readonly life: RegistryLife
  /** How long, in milliseconds, until a change has reached every watcher; who leaves waits this long. */
  readonly watchMs: number
  /** True after `close`. */
  readonly closed: boolean
  /** Entries that were not taken in since the registry was opened: unreadable, unsafe, or not by a tag's holder. */
  readonly dropped: number
  /**
   * Begins to watch one environment; instances of another are never candidates. Called by the kit's `prepare`; a
   * second call with the same environment does nothing.
   *
   * @throws WaybillError `ERR_WAYBILL_REGISTRY` if it is open for another environment or closed; and the registry's
   * own codes for what it cannot read.
   */
  open(environment: string): void
  /** The instances of a service as known now; empty while nothing is known. Costs no I/O. */
  index(service: string): ServiceIndex
  /** Resolves once the registry has been read for the first time, or cannot be. Rejects with the signal's reason. */
  ready(service: string, signal?: AbortSignal): Promise<void>
  /** Calls the listener for each change after now, in order. Returns its removal. */
  watch(service: string, listener: (change: InstanceChange) => void): () => void
  /**
   * Registers with a lease and claims its tags.
   *
   * @throws WaybillError `ERR_WAYBILL_TAG_OWNED` where another living owner holds one of the tags,
   * `ERR_WAYBILL_ID_TAKEN` where another living process has the id, `ERR_WAYBILL_REGISTRY` where the registry cannot.
   */
  register(instance: Instance): Promise<Lease>
  /** Ends every lease of a tag, whoever holds it, and frees the tag. Resolves with what was taken out. */
  revoke(tag: string): Promise<readonly Instance[]>
  /** Releases the leases of this process and stops watching. Calls go on with an empty index. */
  close(): Promise<void>
}

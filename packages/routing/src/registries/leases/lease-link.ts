import type { BeatRequest } from '../../heartbeat.js'
import type { Instance } from '../../instance.js'

/** What a server answers to a beat. `revoked`: the lease was ended on purpose, and must not come back. */
export type BeatAnswer = 'held' | 'unknown' | 'revoked'

/** Everything that a server holds for one environment. */
export interface LeaseSnapshot {
  /** How many instances these are, or a few more: it decides only whether they are taken in at once. */
  readonly size: number
  /**
   * Gone through once, and above some hundreds in slices. One that a change replaces or takes out meanwhile may come as
   * it was or not at all: what is told of it after the snapshot counts.
   */
  readonly instances: Iterable<Instance>
  /** The owner of each claimed tag; gone through like the instances. */
  readonly holders: Iterable<readonly [tag: string, owner: string]>
}

/** What a server says by itself. */
export interface LeaseChange {
  readonly put?: readonly Instance[]
  /** Ids of instances that went by themselves, or whose time was over. */
  readonly remove?: readonly string[]
  /** The tags whose owner changed; undefined: nobody holds it now. */
  readonly holders?: ReadonlyMap<string, string | undefined>
}

/** Who listens to the one watch of a registry. */
export interface LinkListener {
  snapshot(snapshot: LeaseSnapshot): void
  changed(change: LeaseChange): void
  /** The connection has broken; nothing more comes from it. */
  broken(error: unknown): void
}

/** A watch that stands. */
export interface LinkWatch {
  /** Asks for the whole snapshot again. */
  resync(): void
  close(): void
}

/**
 * A registry server as its client sees it: no policy, only what goes over the wire. All that makes leases right stands
 * in `LeaseRegistry`, once, so a registry of this kind is one of these links.
 */
export interface LeaseLink {
  readonly kind: string
  /** See `Registry.place`. */
  readonly place: string
  /** How long a lease lasts after a beat, in milliseconds. */
  readonly ttlMs: number
  /** How long until every watcher has heard of a change, in milliseconds. */
  readonly watchMs: number
  /** Begins the watch. The listener may be called before this returns. */
  connect(environment: string, listener: LinkListener): LinkWatch
  /**
   * Registers whole. Resolves with the token of this registration.
   *
   * @throws WaybillError `ERR_WAYBILL_TAG_OWNED`, `ERR_WAYBILL_ID_TAKEN`; any other error means: not reached.
   */
  register(instance: Instance): Promise<string>
  /** Any error means: not reached. */
  beat(token: string): Promise<BeatAnswer>
  deregister(token: string): Promise<void>
  revoke(environment: string, tag: string): Promise<readonly Instance[]>
  /**
   * How a beat is sent over HTTP, and its answer read. Beats then run beside the event loop, and `beat` is not called.
   */
  beatRequest?(token: string): BeatRequest
  readBeat?(status: number, body: string): BeatAnswer
}

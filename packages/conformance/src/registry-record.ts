import type { Answers } from './answer.js'

/**
 * What a registry is asked, typed by shape: this package stands below the one that holds the registries, so it cannot
 * name their types.
 */
export interface RegistryInstance {
  readonly id: string
  readonly environment: string
  readonly service: string
  readonly host: string
  readonly port: number
  readonly zone?: string
  readonly clks: readonly string[]
  readonly owner?: string
  readonly weight: number
  readonly enabled: boolean
  readonly metadata: Readonly<Record<string, string>>
}

export interface RegistryChange {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly instance: RegistryInstance
}

export interface RegistryLease {
  readonly state: string
  watch(listener: (state: string) => void): () => void
  release(): Promise<void>
}

export interface RegistryIndex extends Iterable<RegistryInstance> {
  readonly stale: boolean
  /** True while instances that vanished together are kept. */
  readonly held: boolean
  get(id: string): RegistryInstance | undefined
}

export interface RegistryUnderTest {
  index(service: string): RegistryIndex
  ready(service: string, signal?: AbortSignal): Promise<void>
  watch(service: string, listener: (change: RegistryChange) => void): () => void
  register(instance: RegistryInstance): Promise<RegistryLease>
  revoke(tag: string): Promise<readonly RegistryInstance[]>
  close(): Promise<void>
}

/** A process that holds instances, and can end without a word. */
export interface RegistryHolder {
  register(instance: RegistryInstance): Promise<void>
  /** Ends it as SIGKILL does. */
  kill(): Promise<void>
}

/** What can be done to a registry. One that it cannot suffer is left out, and its record says so to the law. */
export interface RegistryFaults {
  /** Another process, or the nearest thing to it. */
  holder?(): Promise<RegistryHolder>
  /** Nobody reaches the registry while it is cut. */
  cut?(cut: boolean): Promise<void>
  /** Beats that are sent from now on are on their way until the function that comes back is called. */
  delayBeats?(): () => Promise<void>
  /** The registry loses a registration, without anybody having asked. */
  forget?(id: string): Promise<void>
  /** Switches an instance off by hand. */
  switchOff?(id: string): Promise<void>
}

/** A registry that was started for one law, in the environment `test`. */
export interface RegistryWorld {
  /** Another client, opened. */
  client(): Promise<RegistryUnderTest>
  /**
   * Brings an instance in by the way that this registry has, by default `register` of a client.
   * @returns takes it out again.
   */
  place(instance: RegistryInstance): Promise<() => Promise<void>>
  /** Takes several out in one step, as a registry does that has lost its memory. Left out: by no step at once. */
  vanish?(ids: readonly string[]): Promise<void>
  /** Ids of the service that a client without the kit is told. */
  plain(service: string): Promise<readonly string[]>
  /** Lets time pass, real or not. */
  pass(ms: number): Promise<void>
  /** How long until every client has seen a change, in milliseconds. */
  readonly settleMs: number
  /** How long until a client has noticed that the registry is away, or back, in milliseconds. */
  readonly reconnectMs: number
  /** How long a lease lasts, in milliseconds. */
  readonly leaseMs: number
  readonly faults: RegistryFaults
  dispose(): Promise<void>
}

export type RegistryLawName =
  | 'eventual-view'
  | 'ordered-events'
  | 'plain-client'
  | 'stale-snapshot'
  | 'mass-loss'
  | 'one-owner'
  | 'one-id'
  | 'lease-loss'
  | 'late-beat'
  | 're-registration'
  | 'switched-off'
  | 'revoked'
  | 'dispose'

/** What a registry says to each law. Closed: a new law asks every registry. */
export interface RegistryRecord {
  readonly name: string
  readonly laws: Answers<RegistryLawName>
  open(): Promise<RegistryWorld>
}

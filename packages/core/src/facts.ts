import type { Inbound } from './trust.js'

/** Where a process runs. */
export type Environment = 'development' | 'test' | 'staging' | 'production'

/** What a kit knows of its own process, checked; interceptors and adapters read it, nobody writes it. */
export interface Facts {
  readonly service: string
  readonly environment: Environment
  /** True in production, where a clk counts only with `devRouting`. */
  readonly production: boolean
  readonly cell: string | undefined
  readonly zone: string | undefined
  /** What this process serves, as announced: `alice`, `team.*`. Empty where no clk counts. */
  readonly clks: readonly string[]
  /** The tag of requests that this process sends of itself: the first of its clks, without `.*`. */
  readonly clk: string | undefined
  /** Tags that were said and do not count, since this is production without `devRouting`. */
  readonly ignoredClks: readonly string[]
  /** Who owns the tags, default `user@host`. */
  readonly owner: string
  /** True for an instance of the shared environment. */
  readonly baseline: boolean
  /** The address that the baseline mark is meant for, where it names one. */
  readonly baselineAddress: string | undefined
  /** URL of the registry; undefined in production where none is said. */
  readonly registry: string | undefined
  /** `host:port` under which this process can be reached, where it was said. */
  readonly advertise: string | undefined
  /** True where a clk is read, chosen by and sent. */
  readonly carriesClk: boolean
  readonly inbound: Inbound
  /** True where `trust.peers` was said. */
  readonly peersSaid: boolean
}

import type { Letter } from './notification-worker.js'

/** What `notification` keeps of each order that it wrote about, and whose it was on every station of its way. */
export interface Notice {
  readonly item: string
  /** `topic[partition]@offset` */
  readonly message: string
  /** The header, as it came. */
  readonly baggage: string
  /** How many messages came in the same batch. */
  readonly batchSize: number
  /** What the consumer saw, after the worker had answered. Null: no tag. */
  readonly clk: string | null
  readonly letter: Letter
}

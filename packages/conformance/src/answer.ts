import type { ErrorCode } from '@waybill/core'

/** What a record says to a law: it obeys, or why it cannot. */
export type Answer = true | No

/** A `no` must fail its law by what the law asserts, or by the refusal that is named here. Else the suite fails. */
export interface No {
  /** Why it cannot, as a reader of the record is told. */
  readonly no: string
  /**
   * The error by which the host refuses what the law asks of it: the kit's, or the system's of a client that asks DNS for the name
   * of a service. Default: it refuses nothing.
   */
  readonly code?: ErrorCode | 'ENOTFOUND'
}

/** A word for every law that a record is asked. */
export type Answers<Law extends string> = Readonly<Record<Law, Answer>>

/** Which builds the laws about a whole process are asked of. */
export interface ProcessRecord {
  /** A folder from which the packages and the hosts of their adapters resolve. */
  readonly folder: string
  /** Every built package of the kit, `@waybill/core` among them. */
  readonly packages: readonly string[]
}

export type ProcessLaw = 'two-copies' | 'one-storage' | 'beside-opentelemetry'

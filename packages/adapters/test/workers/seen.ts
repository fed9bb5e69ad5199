import { tryCurrentWaybill } from '@waybill/core'

/** What a task sees of its waybill. */
export interface Seen {
  readonly clk: string | undefined
  readonly shardKey: string | undefined
  readonly depth: number | undefined
}

export function see(): Seen {
  const { clk, shardKey, depth } = tryCurrentWaybill() ?? {}
  return { clk, shardKey, depth }
}

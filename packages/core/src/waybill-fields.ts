import { tryCurrentWaybill } from './scope.js'
import { shardHash } from './shard-hash.js'

/** The fields of a log line. The shard key is there as a short hash only. */
export interface WaybillLogFields {
  readonly clk?: string
  readonly hopCount?: number
  readonly depth?: number
  readonly shardHash?: string
}

/** What a log line should say of the current waybill; empty outside of any scope. */
export function waybillFields(): WaybillLogFields {
  const waybill = tryCurrentWaybill()
  if (waybill === undefined) return {}
  const { clk, shardKey, hopCount, depth } = waybill
  return {
    ...(clk === undefined ? {} : { clk }),
    hopCount,
    depth,
    ...(shardKey === undefined ? {} : { shardHash: shardHash(shardKey) }),
  }
}

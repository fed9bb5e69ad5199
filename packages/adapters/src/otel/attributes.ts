import type { Attributes, Context } from '@opentelemetry/api'
import { waybillFields } from '@waybill/core'
import { runWithWaybill } from '@waybill/core/adapter'
import { waybillIn } from './context-store.js'

/**
 * What a span or log record says of the waybill in the given context, else of the current one. The shard key is there as a
 * short hash only.
 */
export function waybillAttributes(held: Context): Attributes {
  const waybill = waybillIn(held)
  const { clk, hopCount, shardHash } =
    waybill === undefined ? waybillFields() : runWithWaybill(waybill, waybillFields)
  const attributes: Attributes = {}
  if (clk !== undefined) attributes['waybill.clk'] = clk
  if (hopCount !== undefined) attributes['waybill.hop_count'] = hopCount
  if (shardHash !== undefined) attributes['waybill.shard_hash'] = shardHash
  return attributes
}

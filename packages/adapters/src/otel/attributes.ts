import type { Attributes, Context, Span } from '@opentelemetry/api'
import { waybillFields } from '@waybill/core'
import { runWithWaybill } from '@waybill/core/adapter'
import { waybillIn } from './context-store.js'

const CLK = 'waybill.clk'
const SHARD_HASH = 'waybill.shard_hash'

/**
 * What a span or log record says of the waybill in the given context, else of the current one. The shard key is there as a
 * short hash only.
 */
export function waybillAttributes(held: Context): Attributes {
  const waybill = waybillIn(held)
  const { clk, hopCount, shardHash } =
    waybill === undefined ? waybillFields() : runWithWaybill(waybill, waybillFields)
  const attributes: Attributes = {}
  if (clk !== undefined) attributes[CLK] = clk
  if (hopCount !== undefined) attributes['waybill.hop_count'] = hopCount
  if (shardHash !== undefined) attributes[SHARD_HASH] = shardHash
  return attributes
}

/**
 * The same for a span on which another waybill may have been told: what that one alone has is made empty, since OpenTelemetry
 * takes no attribute off a span.
 */
export function attributesInstead(span: Span, held: Context): Attributes {
  // The spans of an SDK let theirs be read; the API asks nobody to.
  const told = (span as { readonly attributes?: Attributes }).attributes ?? {}
  const emptied = [CLK, SHARD_HASH].filter((name) => name in told).map((name) => [name, ''] as const)
  return { ...Object.fromEntries(emptied), ...waybillAttributes(held) }
}

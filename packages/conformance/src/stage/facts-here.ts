import { tryCurrentWaybill } from '@waybill/core'

/** The facts of the current waybill that differ from those of an empty one; undefined in no scope. */
export interface FactsHere {
  readonly clk?: string
  readonly shardKey?: string
  readonly hopCount?: number
  readonly targetUnit?: string
  readonly depth?: number
}

/** What code sees that runs here. */
export function factsHere(): FactsHere | undefined {
  const waybill = tryCurrentWaybill()
  if (waybill === undefined) return undefined
  const { clk, shardKey, hopCount, targetUnit, depth } = waybill
  return {
    ...(clk === undefined ? {} : { clk }),
    ...(shardKey === undefined ? {} : { shardKey }),
    ...(hopCount === 0 ? {} : { hopCount }),
    ...(targetUnit === undefined ? {} : { targetUnit }),
    ...(depth === 0 ? {} : { depth }),
  }
}

/** The tag that code sees that runs here; `none` in no scope, since undefined means untagged. */
export function clkHere(): string | undefined {
  const waybill = tryCurrentWaybill()
  return waybill === undefined ? 'none' : waybill.clk
}

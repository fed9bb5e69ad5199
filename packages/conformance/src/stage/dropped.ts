import type { Kit } from '@waybill/core'

/** Why a value was not taken in, or not written. */
export type DropReason = keyof Kit['counters']['dropped']

/** How many values a kit has dropped, by reason, since an earlier look; reasons without any are left out. */
export function droppedBy(
  kit: Kit,
  since: Partial<Record<DropReason, number>> = {},
): Partial<Record<DropReason, number>> {
  const counts = Object.entries(kit.counters.dropped) as [DropReason, number][]
  return Object.fromEntries(
    counts
      .map(([reason, count]) => [reason, count - (since[reason] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )
}

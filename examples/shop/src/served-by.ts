import type { Facts } from '@waybill/core'

/** Which of a service's instances this process is, as a reply tells it: its tags, else its zone. */
export function servedBy({ clks, zone, owner }: Facts): string {
  return clks.length > 0 ? clks.join(',') : (zone ?? owner)
}

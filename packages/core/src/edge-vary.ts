import { engineOf } from './engine.js'
import type { Kit } from './kit.js'
import type { Inbound } from './trust.js'

/** What every reply of a listener must name in `Vary`: outside production an edge chooses by headers and cookies. */
export function edgeVary(kit: Kit, inbound: Inbound): string | undefined {
  return inbound === 'edge' && !kit.facts.production ? engineOf(kit).inbound.vary : undefined
}

import { WaybillError } from './errors.js'
import type { Kit } from './kit.js'
import type { Inbound } from './trust.js'

/**
 * Who a listener believes: its own option, else the kit's.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for a word that is none of the three, and for `peer` in production
 * where `trust.peers` was not said.
 */
export function listenerInbound(kit: Kit, inbound: Inbound | undefined): Inbound {
  if (inbound === undefined) return kit.facts.inbound
  if (!['public', 'edge', 'peer'].includes(inbound)) {
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
      option: 'inbound',
      problem: `${JSON.stringify(inbound)} is none of public, edge, peer`,
    })
  }
  if (inbound === 'peer' && kit.facts.production && !kit.facts.peersSaid) {
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
      option: 'trust.peers',
      problem: 'must be said in production, where private addresses prove nothing',
    })
  }
  return inbound
}

import { WaybillError } from './errors.js'
import type { Kit } from './kit.js'
import { rendezvous } from './rendezvous.js'
import type { Inbound } from './trust.js'

/**
 * Who a listener believes: its own option, else the kit's.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for a word that is none of the three, and for `peer` in production
 * where `trust.peers` was not said; ERR_WAYBILL_FOREIGN_PROPAGATOR where the tracer of this process would carry on what
 * such a listener must not believe.
 */
export function listenerInbound(kit: Kit, inbound: Inbound | undefined): Inbound {
  const checked = inbound === undefined ? kit.facts.inbound : checkInbound(kit, inbound)
  rendezvous().tracer?.beside(checked)
  return checked
}

function checkInbound(kit: Kit, inbound: Inbound): Inbound {
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

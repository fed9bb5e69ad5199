import { WaybillError } from '@waybill/core/adapter'
import type { Call, ServiceSettings } from '@waybill/core/adapter'
import type { Requirement } from './candidate-view.js'
import type { DecisionRequest } from './decide.js'
import type { Router } from './router.js'

/** A call to a service; the only sort that is routed. */
export type ServiceCall = Call & { readonly service: ServiceSettings }

/** What the decision is asked for a call. @param tried is read at each decision, so it may grow between attempts. */
export function requestOf(router: Router, call: ServiceCall, tried: readonly string[]): DecisionRequest {
  const { from, service, url, waybill } = call
  // Where a developer works, a bare name may be a stranger's in her search domains: only what she listed goes out.
  const ownAddress = url !== undefined && (from.clks.length === 0 || service.listed)
  return {
    clk: from.carriesClk ? waybill.clk : undefined,
    zone: router.preferredZone(from),
    policy: service.policy,
    tried,
    address: service.baseline !== undefined || ownAddress,
    require: requirementOf(call),
    local: router.local,
  }
}

/** A cell-bound service is served by the key's home cell; without a cell map that is what the gateway wrote, or ours. */
function requirementOf({ service, require, waybill, from }: ServiceCall): Requirement | undefined {
  if (!service.cellBound) return require
  const cell = require?.cell ?? waybill.targetUnit ?? from.cell
  if (cell !== undefined) return { ...require, cell }
  throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
    option: 'cell',
    variable: 'WAYBILL_CELL',
    problem: `services.${service.name}.cellBound asks for it`,
  })
}

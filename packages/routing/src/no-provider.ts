import { WaybillError } from '@waybill/core/adapter'
import type { DecisionRequest, Note } from './decide.js'
import { explainIndex } from './explain.js'
import type { ServiceIndex } from './service-index.js'

/** Verdicts in an error at most; the count tells how many there are. */
const MAX_VERDICTS = 20

/** A call that nobody may serve, and where somebody was looked for. */
export interface Unserved {
  readonly index: ServiceIndex
  readonly request: DecisionRequest
  readonly notes: readonly Note[]
  readonly environment: string
  /** The place of the registry. */
  readonly registry: string
  /** Address and failure of each attempt before. */
  readonly tried: readonly string[]
  /** The failure of the last one, where there was one. */
  readonly cause?: unknown
}

/** Its error: service, tag, policy, reason, where it looked, and what became of every instance. */
export function noProvider(unserved: Unserved): WaybillError {
  const { index, request, notes, environment, registry, tried, cause } = unserved
  const { reason, owners, verdicts, total } = explainIndex(index, request, { limit: MAX_VERDICTS })
  return new WaybillError(
    'ERR_WAYBILL_NO_PROVIDER',
    {
      service: index.service,
      clk: request.clk,
      environment,
      registry,
      policy: request.policy,
      reason,
      ...(notes.length > 0 ? { notes } : {}),
      ...(owners === undefined ? {} : { owners }),
      ...(request.require === undefined ? {} : { require: request.require }),
      ...(tried.length > 0 ? { tried: tried.join(', ') } : {}),
      verdicts,
      instances: total,
    },
    cause === undefined ? {} : { cause },
  )
}

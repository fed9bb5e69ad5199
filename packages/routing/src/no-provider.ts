import { WaybillError } from '@waybill/core/adapter'
import type { DecisionRequest, Note } from './decide.js'
import { explainIndex } from './explain.js'
import type { ServiceIndex } from './service-index.js'

/** Verdicts in an error at most; the count tells how many there are. */
const MAX_VERDICTS = 20

/**
 * The error of a call that nobody may serve: service, tag, policy, reason, and what became of every instance.
 *
 * @param cause the failed connect that came before, where there was one.
 */
export function noProvider(
  index: ServiceIndex,
  request: DecisionRequest,
  notes: readonly Note[],
  cause?: unknown,
): WaybillError {
  const { reason, owners, verdicts, total } = explainIndex(index, request, { limit: MAX_VERDICTS })
  return new WaybillError(
    'ERR_WAYBILL_NO_PROVIDER',
    {
      service: index.service,
      clk: request.clk,
      policy: request.policy,
      reason,
      ...(notes.length > 0 ? { notes } : {}),
      ...(owners === undefined ? {} : { owners }),
      ...(request.require === undefined ? {} : { require: request.require }),
      verdicts,
      instances: total,
    },
    cause === undefined ? {} : { cause },
  )
}

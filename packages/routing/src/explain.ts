import { servesTag } from '@waybill/core/adapter'
import { formatAddress } from './address.js'
import { decide } from './decide.js'
import type { Decision, DecisionRequest, Note, Reason, Step } from './decide.js'
import { indexInstances } from './instance-list.js'
import type { InstanceInput, RefusedEntry } from './instance-list.js'
import type { Provider } from './provider.js'
import { normalise } from './select.js'
import type { SelectRequest } from './select.js'
import { isServiceIndex } from './service-index.js'
import type { ServiceIndex } from './service-index.js'

/** What became of one instance, in the order in which it is asked. */
export type VerdictWord =
  | 'UNREADABLE'
  | 'OTHER_ENVIRONMENT'
  | 'OTHER_CELL'
  | 'OTHER_ROLE'
  | 'ADDRESS_IS_TAGGED'
  | 'DISABLED'
  | 'WEIGHT_ZERO'
  | 'EJECTED'
  | 'NOT_THE_HOLDER'
  | 'FOREIGN_TAG'
  | 'TRIED'
  | 'ELIGIBLE'
  | 'NOT_PREFERRED'

export interface Verdict {
  readonly id: string
  readonly verdict: VerdictWord
  /** `host:port`. */
  readonly at?: string
  readonly clks?: readonly string[]
  readonly zone?: string
  readonly owner?: string
}

export interface Explanation {
  readonly step: Step
  readonly reason: Reason
  readonly notes: readonly Note[]
  readonly owners?: readonly string[]
  readonly verdicts: readonly Verdict[]
  /** How many instances there are, whether or not their verdicts are told. */
  readonly total: number
}

export interface ExplainOptions {
  /** Verdicts at most. Default: all. */
  readonly limit?: number
}

/** A decision and what became of every instance. It looks at all of them, so it is never on the way of a call. */
export function explain(
  source: ServiceIndex | Iterable<InstanceInput>,
  request: SelectRequest,
  options: ExplainOptions = {},
): Explanation {
  if (isServiceIndex(source)) return explainIndex(source, normalise(request, source), options)
  const { index, refused } = indexInstances(source, request.environment)
  return explainIndex(index, normalise(request, index), options, refused)
}

/** The same for a request in normal form. */
export function explainIndex(
  index: ServiceIndex,
  request: DecisionRequest,
  { limit = Infinity }: ExplainOptions = {},
  refused: readonly RefusedEntry[] = [],
): Explanation {
  const decision = decide(index, request)
  const verdicts: Verdict[] = []
  for (const { id } of refused) if (verdicts.length < limit) verdicts.push({ id, verdict: 'UNREADABLE' })
  for (const provider of index.providers()) {
    if (verdicts.length >= limit) break
    verdicts.push(describe(provider, judge(index, request, decision, provider)))
  }
  const { step, reason, notes, owners } = decision
  return {
    step,
    reason,
    notes,
    ...(owners.length === 0 ? {} : { owners }),
    verdicts,
    total: index.size + refused.length,
  }
}

function judge(
  index: ServiceIndex,
  request: DecisionRequest,
  decision: Decision,
  provider: Provider,
): VerdictWord {
  const { instance } = provider
  const standing = index.standing(provider)
  if (!index.covers(instance)) return 'OTHER_ENVIRONMENT'
  const { cell, role } = request.require ?? {}
  if (cell !== undefined && instance.cell !== cell) return 'OTHER_CELL'
  if (role !== undefined && instance.metadata['role'] !== role) return 'OTHER_ROLE'
  if (standing === undefined) return 'ADDRESS_IS_TAGGED'
  if (!instance.enabled) return 'DISABLED'
  if (instance.weight === 0) return 'WEIGHT_ZERO'
  if (provider.ejected) return 'EJECTED'
  if (provider.tagged) {
    if (request.clk === undefined || !servesTag(instance.clks, request.clk)) return 'FOREIGN_TAG'
    if (!servesTag(standing.serves, request.clk)) return 'NOT_THE_HOLDER'
  }
  if (decision.leftOut.includes(provider)) return 'TRIED'
  return decision.bucket?.has(provider) === true ? 'ELIGIBLE' : 'NOT_PREFERRED'
}

function describe({ instance }: Provider, verdict: VerdictWord): Verdict {
  const { id, host, port, clks, zone, owner } = instance
  return {
    id,
    verdict,
    at: formatAddress(host, port),
    ...(clks.length > 0 ? { clks } : {}),
    ...(zone === undefined ? {} : { zone }),
    ...(owner === undefined ? {} : { owner }),
  }
}

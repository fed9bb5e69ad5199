import { servesTag } from '@waybill/core/adapter'
import type { Target } from '@waybill/core/adapter'
import type { Decision, Note } from './decide.js'
import type { Provider } from './provider.js'

/** What one attempt of a call goes to. */
export interface Choice {
  readonly decision: Decision
  readonly notes: readonly Note[]
  readonly provider: Provider | undefined
  readonly target: Target | undefined
}

/** Whether there is an instance or an address at all. */
export function leadsSomewhere({ decision }: Choice): boolean {
  return decision.bucket !== undefined || decision.reason === 'BASELINE_ADDRESS'
}

/** In the call that met the closed door, "unreachable" says more than "tried". */
export function sayUnreachable(notes: readonly Note[]): readonly Note[] {
  return ['TAG_UNREACHABLE', ...notes.filter((note) => note !== 'TAG_TRIED' && note !== 'TAG_UNREACHABLE')]
}

/** The clk that served, `@` and the zone of an untagged instance, or nothing for an address without registry. */
export function servedBy(provider: Provider | undefined, clk: string | undefined): string {
  if (provider === undefined) return ''
  const { clks, zone = '' } = provider.instance
  if (clk === undefined || clks.length === 0) return `@${zone}`
  return clks.find((each) => each === clk) ?? clks.find((each) => servesTag([each], clk)) ?? ''
}

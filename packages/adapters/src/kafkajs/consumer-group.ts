import { networkInterfaces } from 'node:os'
import { publish, servesTag, WaybillError, type Facts, type Kit } from '@waybill/core/adapter'
import { waybillOf } from './received-message.js'
import type { Decide } from './sift-batch.js'

/**
 * Which group a developer's process joins. `own`: a group of its own, `<groupId>__clk__<tag>`, in which it handles the
 * messages that its clks serve. `shared`: the one that the baseline is in, whose partitions and messages it then takes away.
 */
export type ConsumerGroupChoice = 'own' | 'shared'

/** What a consumer joins, and which messages it handles there. */
export interface Membership {
  readonly groupId: string
  /** Undefined: all of them. */
  readonly decide: Decide | undefined
}

/**
 * The membership of a consumer, by the rule that a developer's process joins no group of the shared environment unasked. It
 * holds outside production, and for a disabled kit too.
 * @throws WaybillError ERR_WAYBILL_SHARED_GROUP with the lines to add.
 */
export function membershipOf(kit: Kit, groupId: string, group: ConsumerGroupChoice | undefined): Membership {
  const { facts } = kit
  const plain: Membership = { groupId, decide: undefined }
  if (facts.production || bearsMark(facts, groupId)) return plain
  if (facts.clk === undefined) {
    throw refused(
      { groupId, WAYBILL_CLK: 'not set', WAYBILL_BASELINE: 'not set', group },
      `On a developer machine set WAYBILL_CLK and say ${choice(groupId)}; in the manifests of the shared environment, and nowhere else, set WAYBILL_BASELINE=1.`,
    )
  }
  if (group === 'shared') {
    tell('shared-group', facts, groupId, {
      danger:
        'This process takes partitions away from the baseline and handles the messages of everybody that come over them.',
    })
    return plain
  }
  if (group !== 'own') {
    throw refused(
      { groupId, WAYBILL_CLK: facts.clk, group: group ?? 'not set' },
      `Say ${choice(groupId)}, or group: 'shared' if this process is meant to take messages away from the baseline.`,
    )
  }
  const own = `${groupId}__clk__${facts.clk}`
  tell('own-group', facts, own, {
    note: `The baseline's group ${groupId} handles the messages of these clks too.`,
  })
  return {
    groupId: own,
    decide(received) {
      const { clk } = waybillOf(kit, received)
      return clk !== undefined && servesTag(facts.clks, clk) ? 'handle' : 'skip'
    },
  }
}

/** Tools copy a pod's environment to laptops, so the mark may name the address that it is meant for. */
function bearsMark({ baseline, baselineAddress }: Facts, groupId: string): boolean {
  if (!baseline || baselineAddress === undefined) return baseline
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  if (own.some(({ address }) => address === baselineAddress)) return true
  throw refused(
    {
      groupId,
      WAYBILL_BASELINE: baselineAddress,
      why: 'this machine does not have the address that the mark is meant for',
    },
    `Unset WAYBILL_BASELINE, which came from elsewhere, set WAYBILL_CLK and say ${choice(groupId)}.`,
  )
}

const choice = (groupId: string): string =>
  `kafka.consumer({ groupId: ${JSON.stringify(groupId)}, group: 'own' })`

const refused = (facts: Readonly<Record<string, unknown>>, remedy: string): WaybillError =>
  new WaybillError('ERR_WAYBILL_SHARED_GROUP', facts, { remedy })

function tell(
  action: string,
  { service, clks }: Facts,
  group: string,
  more: Readonly<Record<string, string>>,
): void {
  publish('audit', { action, facts: { service, group, clks, ...more } })
}

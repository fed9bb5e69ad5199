import { publish, servesTag, type Facts, type Kit } from '@waybill/core/adapter'
import type { Decide } from './decision.js'
import { groupInUse, type ConsumerGroupChoice, type GroupLine } from './group-rule.js'
import { waybillOf } from './received-message.js'

/** What a consumer joins, and which messages it handles there. */
export interface Membership {
  readonly groupId: string
  /** Undefined: all of them. */
  readonly decide: Decide | undefined
}

/**
 * The membership of a consumer, by the {@link groupInUse rule of groups}, for a disabled kit too.
 * @throws WaybillError ERR_WAYBILL_SHARED_GROUP with the lines to add.
 */
export function membershipOf(kit: Kit, groupId: string, group: ConsumerGroupChoice | undefined): Membership {
  const { facts } = kit
  const used = groupInUse(facts, groupId, group, CONSUMER)
  if (used.choice === 'shared') {
    tell('shared-group', facts, groupId, {
      danger:
        'This process takes partitions away from the baseline and handles the messages of everybody that come over them.',
    })
  }
  if (used.choice !== 'own') return { groupId, decide: undefined }
  if (used.groupId !== groupId) {
    tell('own-group', facts, used.groupId, {
      note: `The baseline's group ${groupId} handles the messages of these clks too.`,
    })
  }
  return {
    groupId: used.groupId,
    decide(received) {
      const { clk } = waybillOf(kit, received)
      return clk !== undefined && servesTag(facts.clks, clk) ? 'handle' : 'skip'
    },
  }
}

/**
 * The group to which a transaction commits offsets, by the same rule: a laptop that has read in a group of its own must not
 * move the baseline's.
 * @param joined what this Kafka's consumer of that group has chosen.
 * @param group what was said with the offsets; it goes before.
 * @throws WaybillError ERR_WAYBILL_SHARED_GROUP with the lines to add.
 */
export function committedGroup(
  { facts }: Kit,
  groupId: string,
  joined: ConsumerGroupChoice | undefined,
  group: ConsumerGroupChoice | undefined,
): string {
  const used = groupInUse(facts, groupId, group ?? joined, OFFSETS)
  if (used.choice === 'shared' && joined !== 'shared') {
    tell('shared-group', facts, groupId, {
      danger:
        'This process commits offsets of the baseline, which then passes messages over or handles them twice.',
    })
  }
  return used.groupId
}

const CONSUMER: GroupLine = (groupId) =>
  `kafka.consumer({ groupId: ${JSON.stringify(groupId)}, group: 'own' })`

const OFFSETS: GroupLine = (groupId) =>
  `transaction.sendOffsets({ consumerGroupId: ${JSON.stringify(groupId)}, group: 'own', topics })`

function tell(
  action: string,
  { service, clks }: Facts,
  group: string,
  more: Readonly<Record<string, string>>,
): void {
  publish('audit', { action, facts: { service, group, clks, ...more } })
}

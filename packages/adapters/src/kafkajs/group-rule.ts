import { baselineMark, WaybillError, type Facts } from '@waybill/core/adapter'

/**
 * Which group a developer's process joins. `own`: a group of its own, `<groupId>__clk__<tag>`, in which it handles the
 * messages that its clks serve. `shared`: the one that the baseline is in, whose partitions and messages it then takes away.
 */
export type ConsumerGroupChoice = 'own' | 'shared'

/** The group that a process gets where it names another or the same. */
export interface GroupInUse {
  readonly groupId: string
  /** Undefined where there is nothing to choose: the process is the baseline's, or in production. */
  readonly choice: ConsumerGroupChoice | undefined
}

/**
 * The name that is judged, and then used, whatever stands where kafkajs takes a text. Undefined where there is none, of
 * which kafkajs tells itself.
 */
export function groupName(value: unknown): string | undefined {
  const name = String(value)
  return value ? name : undefined
}

/** The line to write for a group of one's own. */
export type GroupLine = (groupId: string) => string

/**
 * The rule that a developer's process uses no group of the shared environment unasked, neither as its member nor by
 * committing its offsets. It holds outside production.
 * @throws WaybillError ERR_WAYBILL_SHARED_GROUP with the lines to add.
 */
export function groupInUse(
  facts: Facts,
  groupId: string,
  group: ConsumerGroupChoice | undefined,
  line: GroupLine,
): GroupInUse {
  const named: GroupInUse = { groupId, choice: undefined }
  if (facts.production) return named
  const mark = baselineMark(facts)
  if (mark === 'here') return named
  if (mark === 'elsewhere') {
    throw refused(
      {
        groupId,
        WAYBILL_BASELINE: facts.baselineAddress,
        why: 'this machine does not have the address that the mark is meant for',
      },
      `Unset WAYBILL_BASELINE, which came from elsewhere, set WAYBILL_CLK and say ${line(groupId)}.`,
    )
  }
  if (facts.clk === undefined) {
    throw refused(
      { groupId, WAYBILL_CLK: 'not set', WAYBILL_BASELINE: 'not set', group },
      `On a developer machine set WAYBILL_CLK and say ${line(groupId)}; in the manifests of the shared environment, and nowhere else, set WAYBILL_BASELINE=1.`,
    )
  }
  if (group === 'shared') return { groupId, choice: group }
  if (group === 'own') {
    const suffix = `__clk__${facts.clk}`
    // Named by the wrapper of another kit of this process, or by the developer.
    return { groupId: groupId.endsWith(suffix) ? groupId : groupId + suffix, choice: group }
  }
  throw refused(
    { groupId, WAYBILL_CLK: facts.clk, group: group ?? 'not set' },
    `Say ${line(groupId)}, or group: 'shared' if this process is meant to take messages away from the baseline.`,
  )
}

const refused = (facts: Readonly<Record<string, unknown>>, remedy: string): WaybillError =>
  new WaybillError('ERR_WAYBILL_SHARED_GROUP', facts, { remedy })

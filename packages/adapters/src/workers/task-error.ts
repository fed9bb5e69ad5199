import { isWaybillError, WaybillError } from '@waybill/core/adapter'
import type { ErrorCode, ErrorFacts } from '@waybill/core/adapter'

const KEY = '@waybill/error@1'

/** What cloning takes from an error of the kit, since it keeps message, stack and cause of an Error alone. */
interface ErrorData {
  readonly code: ErrorCode
  /** As JSON: a fact that cannot be cloned would leave the task without an answer. */
  readonly facts: string
  readonly remedy: string
}

/** An error of a task that is about to cross to the submitter: one of the kit takes its code and facts along. */
export function packError(error: unknown): unknown {
  if (!isWaybillError(error)) return error
  const { code, facts, remedy } = error
  const data: ErrorData = { code, facts: jsonOf(facts), remedy }
  const packed = new Error(error.message, { cause: { [KEY]: data } })
  if (error.stack !== undefined) packed.stack = error.stack
  return packed
}

/** The same error at the submitter's. Any other is as it came. */
export function unpackError(error: unknown): unknown {
  const cause = (error as { readonly cause?: { readonly [KEY]?: ErrorData } } | null | undefined)?.cause
  const data = cause?.[KEY]
  if (data === undefined) return error
  const unpacked = new WaybillError(data.code, JSON.parse(data.facts) as ErrorFacts, { remedy: data.remedy })
  const { stack } = error as Error
  if (stack !== undefined) unpacked.stack = stack
  return unpacked
}

function jsonOf(facts: ErrorFacts): string {
  try {
    return JSON.stringify(facts)
  } catch {
    return '{}'
  }
}

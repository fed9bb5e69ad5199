import { isWaybillError, WaybillError } from '@waybill/core/adapter'
import type { ErrorCode, ErrorFacts } from '@waybill/core/adapter'

const KEY = '@waybill/error@1'
/** Causes of causes that are looked at. */
const DEPTH = 4

/** What cloning takes from an error of the kit, since it keeps message, stack and cause of an Error alone. */
interface ErrorData {
  readonly code: ErrorCode
  /** As JSON: a fact that cannot be cloned would leave the task without an answer. */
  readonly facts: string
  readonly remedy: string
}

interface Packed {
  readonly [KEY]: ErrorData
  readonly cause: unknown
}

/**
 * An error of a task that is about to cross to the submitter. One of the kit takes its code and facts along, also as the
 * cause of another: fetch hides it behind its own.
 */
export function packError(error: unknown, depth: number = DEPTH): unknown {
  if (!(error instanceof Error) || depth === 0) return error
  if (!isWaybillError(error)) return withCause(error, packError(error.cause, depth - 1))
  const { code, facts, remedy } = error
  const cause = clonedOr(packError(error.cause, depth - 1), undefined)
  const data: ErrorData = { code, facts: jsonOf(facts), remedy }
  const packed = new Error(error.message, { cause: { [KEY]: data, cause } satisfies Packed })
  if (error.stack !== undefined) packed.stack = error.stack
  return packed
}

/** The same error at the submitter's. Any other is as it came. */
export function unpackError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const packed = error.cause as Partial<Packed> | null | undefined
  const data = packed?.[KEY]
  if (data === undefined) {
    const cause = unpackError(error.cause)
    if (cause !== error.cause) error.cause = cause
    return error
  }
  const cause = unpackError(packed?.cause)
  const unpacked = new WaybillError(data.code, JSON.parse(data.facts) as ErrorFacts, {
    remedy: data.remedy,
    ...(cause === undefined ? {} : { cause }),
  })
  if (error.stack !== undefined) unpacked.stack = error.stack
  return unpacked
}

/** A copy as it would arrive, since the error itself is the application's. */
function withCause(error: Error, cause: unknown): Error {
  if (cause === error.cause) return error
  const copy = clonedOr(error, error)
  if (copy !== error) copy.cause = cause
  return copy
}

function clonedOr<Value, Other>(value: Value, other: Other): Value | Other {
  try {
    return structuredClone(value)
  } catch {
    return other
  }
}

function jsonOf(facts: ErrorFacts): string {
  try {
    return JSON.stringify(facts)
  } catch {
    return '{}'
  }
}

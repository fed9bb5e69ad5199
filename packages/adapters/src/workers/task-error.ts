import { isWaybillError, threadSecret, WaybillError } from '@waybill/core/adapter'
import type { ErrorCode, ErrorFacts } from '@waybill/core/adapter'

/** Nobody can write it who was not told: an application may throw what it was sent. */
const keyOfErrors = (): string => `@waybill/error@1:${threadSecret()}`

/** Causes of causes that are looked at. */
const DEPTH = 4

/** What cloning takes from an error of the kit, since it keeps message, stack and cause of an Error alone. */
interface ErrorData {
  readonly code: ErrorCode
  /** As JSON: a fact that cannot be cloned would leave the task without an answer. */
  readonly facts: string
  readonly remedy: string
}

/** With {@link ErrorData} under the key. */
interface Packed extends Readonly<Record<string, unknown>> {
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
  const packed = new Error(error.message, { cause: { [keyOfErrors()]: data, cause } satisfies Packed })
  if (error.stack !== undefined) packed.stack = error.stack
  // For whoever sees it before it crosses.
  return Object.assign(packed, { code })
}

/** The same error at the submitter's. Any other is as it came. */
export function unpackError(error: unknown, depth: number = DEPTH): unknown {
  if (!(error instanceof Error) || depth === 0) return error
  const data = dataOf(error.cause)
  if (data === undefined) {
    const cause = unpackError(error.cause, depth - 1)
    if (cause !== error.cause) error.cause = cause
    return error
  }
  const cause = unpackError((error.cause as Packed).cause, depth - 1)
  const unpacked = new WaybillError(data.code, JSON.parse(data.facts) as ErrorFacts, {
    remedy: data.remedy,
    ...(cause === undefined ? {} : { cause }),
  })
  if (error.stack !== undefined) unpacked.stack = error.stack
  return unpacked
}

function dataOf(cause: unknown): ErrorData | undefined {
  return (cause as Packed | null | undefined)?.[keyOfErrors()] as ErrorData | undefined
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

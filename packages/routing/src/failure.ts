import { isWaybillError, printableText, sentOf } from '@waybill/core/adapter'

/** What a failed attempt means for the next one. */
export interface Failure {
  readonly error: unknown
  /** No byte of the call was taken: nobody listens there, or the process there serves other tags. */
  readonly unreachable: boolean
  /** The kit or an interceptor said no. Nobody asks again. */
  readonly refused: boolean
  /** There is an answer, or a part of one, in spite of the error. */
  readonly answered: boolean
  /** The name of the host does not resolve. */
  readonly unresolved: boolean
}

const UNRESOLVED: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN'])
const MAX_CAUSES = 8
/** A host name, brackets and a port. */
const MAX_ADDRESS = 261
const MAX_CODE = 64

export function judgeFailure(error: unknown): Failure {
  const refused = isWaybillError(error) && error.code !== 'ERR_WAYBILL_UNREACHABLE'
  return {
    error,
    unreachable: !refused && sentOf(error) === 'no',
    refused,
    answered: hasAnswer(error),
    unresolved: isUnresolved(error, MAX_CAUSES),
  }
}

/** The failure of an attempt whose answer said that the process at the address serves other tags. */
export function misdirected(error: unknown): Failure {
  return { error, unreachable: true, refused: false, answered: false, unresolved: false }
}

/** For an error's facts: `127.0.0.1:44477 ECONNREFUSED`. Bounded and printable, whatever the client's error is. */
export function describeFailure(address: string | undefined, error: unknown): string {
  return `${printableText(address, MAX_ADDRESS) ?? 'unknown address'} ${codeOf(error, MAX_CAUSES) ?? 'failed'}`
}

/** The innermost code that is a word: clients wrap the system's error into their own. */
function codeOf(error: unknown, depth: number): string | undefined {
  if (typeof error !== 'object' || error === null || depth === 0) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return codeOf(cause, depth - 1) ?? printableText(code, MAX_CODE)
}

/** Clients that reject for a status, or for a body that breaks off, put the response on their error. */
function hasAnswer(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && (error as { response?: unknown }).response !== undefined
  )
}

function isUnresolved(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  if (UNRESOLVED.has(code)) return true
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => isUnresolved(each, depth - 1))
  return isUnresolved(cause, depth - 1)
}

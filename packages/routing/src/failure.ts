import { isWaybillError, sentOf } from '@waybill/core/adapter'

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

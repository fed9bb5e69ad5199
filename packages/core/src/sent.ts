import { isWaybillError } from './errors.js'

/** Whether a failed call reached the other side. */
export type Sent = 'no' | 'yes' | 'unknown'

const NOT_SENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])
const MAX_CAUSES = 8

/**
 * Tells from an error whether a byte of its call can have left: the same for all clients, from the errno at the end of
 * its causes. `yes` is never told from an error; what had an answer has no error.
 */
export function sentOf(error: unknown): Sent {
  let at: unknown = error
  for (let depth = 0; depth < MAX_CAUSES && typeof at === 'object' && at !== null; depth++) {
    if (isWaybillError(at)) return 'no'
    const { code, syscall, cause, errors } = at as {
      code?: unknown
      syscall?: unknown
      cause?: unknown
      errors?: unknown
    }
    if (typeof code === 'string' && NOT_SENT.has(code)) return 'no'
    if (code === 'ETIMEDOUT' && syscall === 'connect') return 'no'
    // Several addresses were tried (Happy Eyeballs): not sent if none was.
    if (Array.isArray(errors) && errors.length > 0)
      return errors.every((one) => sentOf(one) === 'no') ? 'no' : 'unknown'
    at = cause
  }
  return 'unknown'
}

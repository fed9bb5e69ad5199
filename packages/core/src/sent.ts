import { isWaybillError } from './errors.js'

/** Whether a failed call reached the other side. */
export type Sent = 'no' | 'yes' | 'unknown'

/** No connection was ever asked for, or the client itself gave up before it was made. */
const NEVER_SENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Not sent where it befell the making of the connection; a route may also vanish under an open one: `read EHOSTUNREACH`. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
])
const CONNECTING: ReadonlySet<unknown> = new Set(['connect', 'bind'])
const MAX_CAUSES = 8

/**
 * Tells from an error whether a byte of its call can have left: the same for all clients, from the errno at the end of
 * its causes. `yes` is never told from an error; what had an answer has no error.
 */
export function sentOf(error: unknown): Sent {
  return judge(error, MAX_CAUSES)
}

function judge(error: unknown, causes: number): Sent {
  if (causes === 0 || typeof error !== 'object' || error === null) return 'unknown'
  if (isWaybillError(error)) return 'no'
  const { code, syscall, cause, errors } = error as {
    code?: unknown
    syscall?: unknown
    cause?: unknown
    errors?: unknown
  }
  // Several addresses were tried (Happy Eyeballs): not sent if none was.
  if (Array.isArray(errors) && errors.length > 0) {
    return errors.every((one) => judge(one, causes - 1) === 'no') ? 'no' : 'unknown'
  }
  if (NEVER_SENT.has(code)) return 'no'
  if (typeof syscall === 'string') {
    const early = NOT_CONNECTED.has(code) || code === 'ETIMEDOUT'
    return early && CONNECTING.has(syscall) ? 'no' : 'unknown'
  }
  // A client's own error copies the code of its cause, and only the cause knows the system call.
  const toldByCause = judge(cause, causes - 1)
  if (toldByCause === 'unknown' && NOT_CONNECTED.has(code) && !hasCode(cause)) return 'no'
  return toldByCause
}

function hasCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code !== undefined
}

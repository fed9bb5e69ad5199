import { runOutside } from '@waybill/core/adapter'
import { UNDICI_LATER_REMEDY } from './loss-remedies.js'

/**
 * Runs in no scope what undici does for nobody in particular. A call made there bears the root waybill, and its headers do not
 * count, which may be copies of an outsider's.
 */
export function asNobody<T>(fn: () => T): T {
  return runOutside(UNDICI_LATER_REMEDY, fn, { callersCount: false })
}

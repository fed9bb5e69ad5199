import { WaybillError } from '@waybill/core/adapter'

/**
 * An app of express 4 or 5, as far as its type tells it from a listener and a router. The rest is checked when it is
 * handed in: the prototypes are optional here since the type of an express `Application` does not declare them.
 */
export interface ExpressApp {
  (req: never, res: never): unknown
  set(...args: never[]): unknown
  /** The prototype that express gives to each request. */
  readonly request?: unknown
  /** The prototype that express gives to each reply. */
  readonly response?: unknown
}

/** An app, and what it gives to requests and replies. */
export interface CheckedApp extends ExpressApp {
  readonly request: object
  readonly response: object
}

/** @throws WaybillError ERR_WAYBILL_CONFIGURATION for what is no express app; it says what was handed in. */
export function checkExpressApp(value: unknown): CheckedApp {
  if (isExpressApp(value)) return value
  throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
    option: 'app',
    problem: `expressServerOptions takes an express app, which express() returns, and got ${described(value)}`,
  })
}

function isExpressApp(value: unknown): value is CheckedApp {
  if (typeof value !== 'function') return false
  const app = value as Partial<Record<'handle' | 'set' | 'request' | 'response', unknown>>
  return (
    typeof app.handle === 'function' &&
    typeof app.set === 'function' &&
    isObject(app.request) &&
    isObject(app.response)
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function described(value: unknown): string {
  if (typeof value === 'function') {
    if ('application' in value && 'Router' in value) return 'express itself, which was not called'
    if ('handle' in value) return 'an app or a router of another kind, whose requests it does not shape'
    return value.name === '' ? 'a function' : `the function ${value.name}`
  }
  if (!isObject(value)) return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value)
  const made: unknown = value.constructor
  return typeof made === 'function' && made.name !== '' ? `an object made by ${made.name}` : 'an object'
}

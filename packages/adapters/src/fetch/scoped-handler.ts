import { bindWaybill } from '@waybill/core'
import type { DispatchHandler } from '../node-http/dispatcher.js'

const CALLBACKS = [
  'onConnect',
  'onUpgrade',
  'onHeaders',
  'onData',
  'onComplete',
  'onError',
  'onRequestStart',
  'onRequestUpgrade',
  'onResponseStart',
  'onResponseData',
  'onResponseEnd',
  'onResponseError',
  'onResponseStarted',
  'onBodySent',
  'onRequestSent',
] as const

/**
 * A handler of the same style whose callbacks run in the scope of the hop. undici calls them in the scope of whoever
 * opened the connection, or freed it: on a shared connection that is another request's.
 */
export function scopedHandler(handler: DispatchHandler): DispatchHandler {
  const callbacks = handler as Readonly<Record<string, ((...args: never[]) => unknown) | undefined>>
  const run = bindWaybill((callback: (...args: never[]) => unknown, args: never[]): unknown =>
    Reflect.apply(callback, handler, args),
  )
  const scoped: Record<string, (...args: never[]) => unknown> = {}
  for (const name of CALLBACKS) {
    const callback = callbacks[name]
    if (callback !== undefined) scoped[name] = (...args: never[]) => run(callback, args)
  }
  return scoped
}

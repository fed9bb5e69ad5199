import { bindWaybill } from '@waybill/core'

/** Runs code in the scope of one hop, whoever calls it. */
export type Scope = <Result>(fn: () => Result) => Result

/**
 * The scope that this code runs in, for the callbacks and the body of a hop. undici calls them in the scope of whoever
 * opened the connection, or freed it: on a shared connection that is another request's.
 */
export function hopScope(): Scope {
  return bindWaybill((fn: () => unknown): unknown => fn()) as Scope
}

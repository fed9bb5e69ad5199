import { WaybillError } from './errors.js'
import { hasSubscribers, publish } from './events.js'
import { currentRecord, runInNewScope } from './scope.js'
import { shardHash } from './shard-hash.js'
import { problemOfValue } from './value-text.js'

/**
 * Binds the shard key of the current request, once: the same key again is fine, another is a mistake of the program
 * (two steps of one request resolved by different users), wherever in the request it comes.
 * @throws WaybillError ERR_WAYBILL_KEY_CONFLICT, ERR_WAYBILL_INVALID_VALUE (empty, over 256 bytes of UTF-8, a lone
 * surrogate), ERR_WAYBILL_NO_SCOPE.
 */
export function bindShardKey(key: string): void {
  checkShardKey(key)
  currentRecord('bindShardKey').bindKey(key)
}

/**
 * Runs `fn` in a nested request that acts for another user: its own key slot, the same clk, hop count and depth.
 * Every use is an audit event, with a short hash of the key.
 * @param options.reason why; it ends up in the event.
 * @throws WaybillError ERR_WAYBILL_INVALID_VALUE for a key as in {@link bindShardKey} or without a reason,
 * ERR_WAYBILL_NO_SCOPE.
 */
export function actFor<T>(key: string, options: { readonly reason: string }, fn: () => T): T {
  checkShardKey(key)
  const reason: unknown = (options as { readonly reason?: unknown } | undefined)?.reason
  if (typeof reason !== 'string' || reason === '') {
    throw new WaybillError('ERR_WAYBILL_INVALID_VALUE', { field: 'reason', problem: 'not said' })
  }
  const outer = currentRecord('actFor')
  const nested = outer.inRequest(outer.request().actingFor(key))
  if (hasSubscribers('audit')) {
    publish('audit', { action: 'act-for', facts: { reason, key: shardHash(key), clk: nested.clk } })
  }
  return runInNewScope(nested, fn)
}

/** @throws WaybillError ERR_WAYBILL_INVALID_VALUE for a key that could not be read back at the next hop. */
export function checkShardKey(key: string): void {
  const problem = problemOfValue(key)
  if (problem !== undefined)
    throw new WaybillError('ERR_WAYBILL_INVALID_VALUE', { field: 'shardKey', problem })
}

import { checkArgument, type DetachedOptions, type Kit } from '@waybill/core/adapter'

const CALL = 'everyDetached(kit, ms, fn, options)'

/**
 * `setInterval` for work that outlives the request in which it is started: each turn runs in a request of its own, under
 * the process's root waybill or, with `inherit`, under the facts and the key of whoever started it. With a disabled kit each
 * turn runs in no scope.
 * All else is `setInterval`'s: turns may overlap, what `fn` throws is an uncaught exception, what it rejects with an
 * unhandled rejection.
 * @param ms between the beginnings of two turns, at most 2,147,483,647: Node makes 1 of more.
 * @returns the timer, for `clearInterval`, `unref` and `using`. It holds nothing of the request that started it.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION, where it is called, for an argument that is none.
 */
export function everyDetached(
  kit: Kit,
  ms: number,
  fn: () => unknown,
  options: DetachedOptions = {},
): NodeJS.Timeout {
  checkArgument(CALL, 'kit', kit, 'kit')
  checkArgument(CALL, 'ms', ms, 'milliseconds')
  const turn = kit.detached(fn, options)
  // Node keeps the scope in which a timer is made for as long as it runs, so it is made in none of a request.
  return kit.detached(() => setInterval(turn, ms))()
}

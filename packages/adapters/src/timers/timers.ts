import type { DetachedOptions, Kit } from '@waybill/core/adapter'

/**
 * `setInterval` for work that outlives the request in which it is started: each turn runs in a request of its own, under
 * the process's root waybill or, with `inherit`, under the facts and the key of whoever started it.
 * All else is `setInterval`'s: turns may overlap, what `fn` throws is an uncaught exception, what it rejects with an
 * unhandled rejection.
 * @param ms between the beginnings of two turns.
 * @returns the timer, for `clearInterval`, `unref` and `using`. It holds nothing of the request that started it.
 */
export function everyDetached(
  kit: Kit,
  ms: number,
  fn: () => unknown,
  options: DetachedOptions = {},
): NodeJS.Timeout {
  const turn = kit.detached(fn, options)
  // Node keeps the scope in which a timer is made for as long as it runs, so it is made in none of a request.
  return kit.detached(() => setInterval(turn, ms))()
}

/** Of a repeating timer that is made in the scope of an arrival. */
export const REPEATING_TIMER_REMEDY =
  'Start it through everyDetached(kit, ms, fn), or make its callback with kit.detached(fn): docs/losing-context.md#timers-and-background-loops'

/** Of what is made when the reply has closed. */
export const AFTER_REPLY_REMEDY =
  'Detach what outlives its request with kit.detached(fn), and open connections at start: docs/losing-context.md#what-goes-on-after-the-reply'

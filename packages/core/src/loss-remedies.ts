/** Each points to its heading in `docs/losing-context.md`; a test holds them together. */
const REMEDIES = {
  callback:
    'Bind the callback with bindWaybill(fn), or detach the work on purpose with kit.detached(fn): docs/losing-context.md#a-callback-that-somebody-else-calls',
  batch:
    'Hand each message to forEachMessage(fn) of the batch, or to runWithMessage(kit, { topic, message }, fn): docs/losing-context.md#kafka-batches',
  'consumer-event':
    'A consumer event belongs to no message; what it starts on purpose goes through kit.detached(fn): docs/losing-context.md#events-of-a-kafka-consumer',
  'worker-event':
    'An event of a worker belongs to nobody unless a waybill came with it: send through workerWaybill(kit, …) at both ends, or kit.detached(fn): docs/losing-context.md#events-of-workers',
  'repeating-timer':
    'Start it through everyDetached(kit, ms, fn), or make its callback with kit.detached(fn): docs/losing-context.md#timers-and-background-loops',
  'after-reply':
    'Detach what outlives its request with kit.detached(fn), and open connections at start: docs/losing-context.md#what-goes-on-after-the-reply',
} as const satisfies Readonly<Record<string, string>>

/** What there is to do about a call that was made in no scope. */
export type LossRemedy = keyof typeof REMEDIES

/** All of them. */
export const lossRemedies: readonly LossRemedy[] = Object.keys(REMEDIES) as LossRemedy[]

/** What to do, in a sentence that ends in the place to read on. */
export function remedyText(remedy: LossRemedy): string {
  return REMEDIES[remedy]
}

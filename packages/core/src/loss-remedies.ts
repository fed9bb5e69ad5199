/**
 * What to do about a call that was made in no scope, where the place knows nothing better. Whoever runs code in no scope brings
 * a sentence of its own; each ends in its heading of `docs/losing-context.md`, and a test holds them together.
 */
export const CALLBACK_REMEDY =
  'Bind the callback with bindWaybill(fn), or detach the work on purpose with kit.detached(fn): docs/losing-context.md#a-callback-that-somebody-else-calls'

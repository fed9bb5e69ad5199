/** What to do about a call of undici that is made later than it was asked for, and by nobody in particular. */
export const UNDICI_LATER_REMEDY =
  'undici makes this request when it has a connection for it, and cannot tell for whom: use the global fetch or undici.request, or compose undiciWaybill(kit): docs/losing-context.md#a-request-that-undici-makes-later'

/** Members of a baggage header that are looked at or written (W3C Baggage asks for at least 64). */
export const MAX_BAGGAGE_MEMBERS = 64

/** Bytes of a baggage header that are looked at or written, separators counted (W3C Baggage asks for at least 8192). */
export const MAX_BAGGAGE_BYTES = 8192

/** UTF-8 bytes of a shard key or of a declared field. */
export const MAX_VALUE_BYTES = 256

/** Depth at which an outgoing call is refused: a chain this long goes round in a circle. */
export const MAX_DEPTH = 32

/** Greatest depth that is written; one digit more would be malformed at the next hop and count as 0. */
export const MAX_WRITTEN_DEPTH = 999_999

/** What a malformed hop count counts as, so that no relay accepts it: the limit of relays. */
export const HOP_LIMIT = 1

/** Entries of a `waybill-route` reply header. */
export const MAX_ROUTE_NOTES = 32

/** Bytes of a `waybill-route` reply header. */
export const MAX_ROUTE_NOTE_BYTES = 2048

/** Places remembered by anything that reports once per place. */
export const MAX_REPORTED_PLACES = 1000

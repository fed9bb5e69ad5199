/** Versioned; another version, or another tool that takes the same name, is foreign. */
const KEY = '@waybill/task@1'
const FOREIGN = '@waybill/task@'

/**
 * A value with the waybill of who sent it beside it: plain data of one text, which survives structured clone and both
 * serialisations of `child_process`.
 */
export interface Envelope {
  /** The waybill, as one `baggage` header. */
  readonly [KEY]: string
  readonly value: unknown
  /** Options for a kit of the receiver, where it may have none of its own: the first message to a process. */
  readonly kit?: string
}

/** What is in an envelope. */
export interface Opened {
  readonly value: unknown
  /** Undefined where the envelope is foreign or corrupt. */
  readonly baggage: string | undefined
  readonly kit: string | undefined
}

/** Puts a value into an envelope. */
export function seal(baggage: string, value: unknown, kit?: string): Envelope {
  return kit === undefined ? { [KEY]: baggage, value } : { [KEY]: baggage, value, kit }
}

/** What is in it; undefined where this is no envelope at all. */
export function open(message: unknown): Opened | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const envelope = message as Partial<Envelope>
  const { [KEY]: baggage, value, kit } = envelope
  if (typeof baggage === 'string') {
    return { value, baggage, kit: typeof kit === 'string' ? kit : undefined }
  }
  const corrupt = baggage !== undefined || Object.keys(message).some((key) => key.startsWith(FOREIGN))
  return corrupt ? { value, baggage: undefined, kit: undefined } : undefined
}

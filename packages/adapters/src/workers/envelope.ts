/** Versioned: who announces itself names the key under which it opens. */
const PREFIX = '@waybill/task@1:'

/** What is in an envelope. */
export interface Opened {
  readonly value: unknown
  /** Undefined where the envelope is corrupt. */
  readonly baggage: string | undefined
}

/** The member that makes an envelope for one receiver. Nobody can write it who was not told the secret. */
export function envelopeKey(secret: string): string {
  return PREFIX + secret
}

/**
 * A value with the waybill of who sent it beside it, as one `baggage` header: plain data, which survives structured
 * clone and both serialisations of `child_process`.
 */
export function seal(key: string, baggage: string, value: unknown): Record<string, unknown> {
  return { [key]: baggage, value }
}

/** What is in it; undefined where this is no envelope for who has this key, but data that may look like one. */
export function open(key: string, message: unknown): Opened | undefined {
  if (typeof message !== 'object' || message === null || !Object.hasOwn(message, key)) return undefined
  const { [key]: baggage, value } = message as Record<string, unknown>
  return { value, baggage: typeof baggage === 'string' ? baggage : undefined }
}

import { decodeEscapes } from './decode-escapes.js'
import { MAX_VALUE_BYTES } from './limits.js'

const PLAIN = /^[A-Za-z0-9._~-]+$/
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/**
 * What a shard key or a declared field may be: not empty, well-formed Unicode, at most 256 bytes of UTF-8.
 * @returns undefined where the value is fine, else what is wrong with it.
 */
export function problemOfValue(value: unknown): string | undefined {
  if (typeof value !== 'string') return `a ${typeof value}; it is a string`
  if (value === '') return 'empty'
  if (!isWellFormed(value)) return 'a lone surrogate, which has no UTF-8 form'
  const bytes = Buffer.byteLength(value)
  return bytes > MAX_VALUE_BYTES ? `${bytes} bytes of UTF-8, at most ${MAX_VALUE_BYTES}` : undefined
}

/** A value as it is written: percent-encoded UTF-8, so that it passes every client and both headers unchanged. */
export function encodeValue(value: string): string {
  return PLAIN.test(value) ? value : encodeURIComponent(value)
}

/**
 * A value as it was meant. Undefined for a bad escape, bad UTF-8, raw bytes outside of printable ASCII, an empty or a
 * longer value: a repaired key would have another owner, so nothing is repaired.
 */
export function decodeValue(text: string): string | undefined {
  if (!PRINTABLE.test(text)) return undefined
  const value = decodeEscapes(text)
  if (value === undefined) return undefined
  return value.length <= MAX_VALUE_BYTES / 4 || Buffer.byteLength(value) <= MAX_VALUE_BYTES
    ? value
    : undefined
}

function isWellFormed(text: string): boolean {
  // ES2024; every supported Node has it, the ES2022 library does not declare it.
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}

import { ENGINE } from './engine.js'
import { WaybillError } from './errors.js'

/** What an argument or an option may be. */
export type Expected = 'kit' | 'function' | 'boolean' | 'milliseconds'

/** Node makes one millisecond of a longer delay. */
const MAX_DELAY_MS = 2 ** 31 - 1

interface Expectation {
  readonly words: string
  readonly fits: (value: unknown) => boolean
}

const EXPECTATIONS: Readonly<Record<Expected, Expectation>> = {
  kit: {
    words: 'a kit that createKit made',
    fits: (value) => (value as { readonly [ENGINE]?: unknown } | null | undefined)?.[ENGINE] !== undefined,
  },
  function: { words: 'a function', fits: (value) => typeof value === 'function' },
  boolean: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  milliseconds: {
    words: `a number of milliseconds from 0 to ${String(MAX_DELAY_MS)}`,
    fits: (value) => typeof value === 'number' && value >= 0 && value <= MAX_DELAY_MS,
  },
}

/**
 * Checks, where something is set up, what would else fail later and far away.
 * @param call the function as it is called, for the reader of the error.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION that says what the call takes and what it got.
 */
export function checkArgument(call: string, name: string, value: unknown, expected: Expected): void {
  const { words, fits } = EXPECTATIONS[expected]
  if (!fits(value)) throw misused(call, name, `takes ${words}, and got ${described(value)}`)
}

/**
 * Checks the options of a call; one that is undefined is not said.
 * @param known each option, and what it may be.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for a wrong value, and for an option that there is not: it would silently
 * mean its default.
 */
export function checkOptions(
  call: string,
  options: unknown,
  known: Readonly<Record<string, Expected>>,
): void {
  if (typeof options !== 'object' || options === null) {
    throw misused(call, 'options', `takes an object, and got ${described(options)}`)
  }
  for (const [name, value] of Object.entries(options)) {
    const expected = Object.hasOwn(known, name) ? known[name] : undefined
    if (expected === undefined) throw misused(call, name, noSuchOption(known))
    if (value !== undefined) checkArgument(call, name, value, expected)
  }
}

/** What to say of an option that there is not. */
export function noSuchOption(known: object): string {
  return `there is no such option; one of ${Object.keys(known).join(', ')}`
}

/** A value in a few words, for an error. */
export function described(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  if (typeof value !== 'object' || value === null) return String(value)
  const made: unknown = value.constructor
  return typeof made === 'function' && made.name !== '' ? `an object made by ${made.name}` : 'an object'
}

function misused(call: string, option: string, problem: string): WaybillError {
  return new WaybillError(
    'ERR_WAYBILL_CONFIGURATION',
    { call, option, problem },
    { remedy: 'Correct the call.' },
  )
}

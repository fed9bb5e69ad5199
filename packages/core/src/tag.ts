import { trimSpace } from './trim-space.js'

// Tested before lower-casing: U+212A, the Kelvin sign, would become a plain k.
const CLK = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i
/** What nearly every clk looks like: matching it never goes back, and nothing has to be lower-cased. */
export const USUAL_CLK = '[a-z0-9]+(?:[.-][a-z0-9]+)*'
const USUAL = new RegExp(`^${USUAL_CLK}$`)
const NAME = /^[a-z0-9_-]{1,63}$/i

/** Characters of a clk at most. */
export const MAX_CLK = 63

/**
 * Reads a clk: trimmed, lower-cased, then checked against the grammar (segments `[a-z0-9]([a-z0-9-]*[a-z0-9])?`
 * joined by dots, at most 63 characters). Undefined where it is none.
 */
export function parseClk(text: string): string | undefined {
  return checkedClk(trimSpace(text))
}

/** Reads what an instance announces: a clk, or a clk followed by `.*` for itself and every tag below it. */
export function parseClkPattern(text: string): string | undefined {
  const pattern = trimSpace(text)
  if (!pattern.endsWith('.*')) return checkedClk(pattern)
  const clk = checkedClk(pattern.slice(0, -2))
  return clk === undefined ? undefined : `${clk}.*`
}

/** The tag that a pattern stands for as a claim, and as the tag of a request: the pattern without `.*`. */
export function tagOf(pattern: string): string {
  return pattern.endsWith('.*') ? pattern.slice(0, -2) : pattern
}

/** Reads the name of a cell or of a zone: trimmed, lower-cased, `[a-z0-9_-]`, at most 63 characters. */
export function parseCellName(text: string): string | undefined {
  const name = trimSpace(text)
  return NAME.test(name) ? name.toLowerCase() : undefined
}

/** True if one of the announced patterns serves the tag: the tag itself, or `A.*` where A is the tag or an ancestor of it. */
export function servesTag(patterns: readonly string[], clk: string): boolean {
  for (const pattern of patterns) {
    if (pattern === clk) return true
    if (pattern.endsWith('.*')) {
      const tag = pattern.slice(0, -2)
      if (clk === tag || clk.startsWith(`${tag}.`)) return true
    }
  }
  return false
}

function checkedClk(text: string): string | undefined {
  if (text.length > MAX_CLK) return undefined
  if (USUAL.test(text)) return text
  return CLK.test(text) ? text.toLowerCase() : undefined
}

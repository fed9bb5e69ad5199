import { parseClk } from '@waybill/core/adapter'

/**
 * What an instance announces: `team` serves that tag alone, `team.*` serves it and every tag below it.
 * The owner's claim is for `team` in both cases.
 */
export interface ClkPattern {
  /** The tag without `.*`, lower-cased. */
  readonly tag: string
  /** True for `team.*`. */
  readonly subtree: boolean
}

/** Reads one announced clk; undefined where it is none. Trims and lower-cases as the wire's reader does. */
export function parseClkPattern(text: string): ClkPattern | undefined {
  const trimmed = text.trim()
  const subtree = trimmed.endsWith('.*')
  const tag = parseClk(subtree ? trimmed.slice(0, -2) : trimmed)
  return tag === undefined ? undefined : { tag, subtree }
}

/** The written form, as it stands in `instance.clks`. */
export function formatClkPattern(pattern: ClkPattern): string {
  return pattern.subtree ? `${pattern.tag}.*` : pattern.tag
}

/** The tag that `clk`, already in its written form, claims. */
export function tagOfPattern(clk: string): string {
  return clk.endsWith('.*') ? clk.slice(0, -2) : clk
}

/** Whether an instance that announces `clks` (written forms) may serve a request of this tag. */
export function servesTag(clks: readonly string[], tag: string): boolean {
  return clks.some((clk) => {
    if (!clk.endsWith('.*')) return clk === tag
    const base = clk.slice(0, -2)
    return tag === base || (tag.startsWith(base) && tag.charCodeAt(base.length) === DOT)
  })
}

const DOT = 46

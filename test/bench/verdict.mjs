/** @typedef {'met' | 'missed' | 'inconclusive'} Verdict */

/** A control whose median lies in here, borders included, lets a figure count. */
export const CALM = { least: 0.95, most: 1.05 }

/**
 * Whether the A/A control found no difference where there is none.
 * @param {number} control median of its ratios
 */
export const isCalm = (control) => control >= CALM.least && control <= CALM.most

/**
 * @param {number} figure a median
 * @param {number} limit the figure may be as large
 * @param {number | undefined} control median of the A/A control of the same cell; undefined where it has none, and the
 * figure stands alone
 * @returns {Verdict}
 */
export const verdictOf = (figure, limit, control) => {
  if (control !== undefined && !isCalm(control)) return 'inconclusive'
  return figure <= limit ? 'met' : 'missed'
}

/**
 * One figure: a variant over another in the same rounds.
 * @typedef {object} Figure
 * @property {string} suite
 * @property {string} cell
 * @property {string} variant
 * @property {string} over
 * @property {string} [words] how the page names it beside a goal; absent: it is what the goal judges
 *
 * @typedef {import('./goals.mjs').Goal} Goal
 */

/**
 * The figure that a goal judges, then those that the page shows beside it.
 * @param {Goal} goal
 * @returns {Figure[]}
 */
export const figuresOf = ({ suite, cell, variant, over, beside = [] }) => [
  { suite, cell, variant, over },
  ...beside.map((figure) => ({ suite, cell, variant, over, ...figure })),
]

/**
 * Whether a row tells a figure.
 * @param {Pick<Figure, 'suite' | 'cell' | 'variant' | 'over'>} figure
 */
export const tells =
  ({ suite, cell, variant, over }) =>
  (/** @type {Omit<Figure, 'words'>} */ row) =>
    row.suite === suite && row.cell === cell && row.variant === variant && row.over === over

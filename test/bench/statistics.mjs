/** @typedef {{ median: number, q1: number, q3: number }} Spread */

/**
 * The p-quantile by linear interpolation between the two nearest ranks (type 7 of Hyndman and Fan, the default of R and
 * NumPy).
 * @param {readonly number[]} values at least one
 * @param {number} p 0 to 1
 * @returns {number}
 */
export const quantile = (values, p) => {
  if (values.length === 0) throw new RangeError('a quantile of no values')
  const sorted = [...values].sort((a, b) => a - b)
  const rank = p * (sorted.length - 1)
  const below = /** @type {number} */ (sorted[Math.floor(rank)])
  const above = /** @type {number} */ (sorted[Math.ceil(rank)])
  return below + (above - below) * (rank - Math.floor(rank))
}

/**
 * @param {readonly number[]} values at least one
 * @returns {Spread}
 */
export const spreadOf = (values) => ({
  median: quantile(values, 0.5),
  q1: quantile(values, 0.25),
  q3: quantile(values, 0.75),
})

/** @typedef {import('./paired-run.mjs').Round} Round */

/** Two ratios a round. One over the mean of both would be too low: noise only adds, and of two more than of one. */
export const ESTIMATOR = 'a slice over each of the two base slices around it'

/**
 * Ratios of a variant over the base: each slice over the base's before it, and over the one after it, so that a machine
 * whose speed drifts within a round does not count.
 * @param {readonly Round[]} rounds
 * @param {string} variant
 * @returns {number[]}
 */
export const ratiosOverBase = (rounds, variant) =>
  rounds.flatMap(({ before, after, slices }) => {
    const slice = sliceOf(slices, variant)
    return [slice / before, slice / after]
  })

/**
 * Ratios of a variant over another of the same round.
 * @param {readonly Round[]} rounds
 * @param {string} variant
 * @param {string} over
 * @returns {number[]}
 */
const ratiosOver = (rounds, variant, over) =>
  rounds.map(({ slices }) => sliceOf(slices, variant) / sliceOf(slices, over))

/**
 * @param {Readonly<Record<string, number>>} slices
 * @param {string} variant
 */
const sliceOf = (slices, variant) => {
  const slice = slices[variant]
  if (slice === undefined) throw new RangeError(`no slice of ${variant}`)
  return slice
}

/**
 * Ratios of a variant over another, which may be the base.
 * @param {readonly Round[]} rounds
 * @param {string} variant
 * @param {string} over
 * @param {string} base
 */
export const ratiosOf = (rounds, variant, over, base) => {
  if (variant === over) return rounds.map(() => 1)
  return over === base ? ratiosOverBase(rounds, variant) : ratiosOver(rounds, variant, over)
}

/** One measurement: what is retained after so many requests and messages. */
export interface Point {
  readonly done: number
  readonly bytes: number
}

/** Bytes per request or message. The true slope lies between `low` and `high` with a probability of 99 %. */
export interface Slope {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Of the normal distribution, for 99 %. */
const Z = 2.576

/**
 * The Theil–Sen slope, the median of the slopes between all pairs of points, with Sen's interval (1968): an outlier, such as
 * a sample into which a recompilation fell, moves neither.
 */
export function slopeOf(points: readonly Point[]): Slope {
  const slopes = points
    .flatMap((one, at) =>
      points.slice(at + 1).map((other) => (other.bytes - one.bytes) / (other.done - one.done)),
    )
    .sort((one, other) => one - other)
  const n = points.length
  const spread = Z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  const rank = (at: number): number =>
    slopes[Math.min(Math.max(Math.round(at), 0), slopes.length - 1)] ?? Number.NaN
  return {
    median: rank((slopes.length - 1) / 2),
    low: rank((slopes.length - spread) / 2),
    high: rank((slopes.length + spread) / 2),
  }
}

/** A leak that must be seen, in bytes per request or message: one small object. */
export const LEAK = 64

/** What a process may grow by of itself, in bytes per request or message: feedback of what is run seldom. */
const GROWTH = 8

/**
 * Whether the heap stays as it is: no growth that is more than noise, and so little noise that a small leak would show.
 */
export const isFlat = ({ low, high }: Slope): boolean => low <= GROWTH && high < LEAK / 2

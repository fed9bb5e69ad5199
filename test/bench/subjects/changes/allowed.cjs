'use strict'

/** What a stall is held against: the longest that is allowed, in microseconds. */
const ALLOWED_MICROS = 1_000

/** Does nothing, and says how long a step may keep the event loop. */
exports.open = () => ({
  /** @param {number} units */
  slice: (units) => ALLOWED_MICROS * units,
})

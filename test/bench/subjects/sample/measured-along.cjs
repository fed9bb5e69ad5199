'use strict'

/**
 * A subject whose slice measures itself, and more along with it.
 * @type {import('../../subject-process.cjs').Subject}
 */
module.exports = {
  open: () => ({
    slice: (units) => ({ measure: 2 * units, along: { along: 3 * units, unwanted: units } }),
    ask: (k) => k,
  }),
}

'use strict'

/**
 * A subject whose handler sees somebody else's key.
 * @type {import('../../subject-process.cjs').Subject}
 */
module.exports = {
  open: () => ({
    slice() {
      throw new Error('measured in spite of a wrong answer')
    },
    ask: (k) => k + 1,
  }),
}

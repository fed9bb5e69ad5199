'use strict'

/**
 * A subject that answers well when it is asked, and fails at work.
 * @type {import('../../subject-process.cjs').Subject}
 */
module.exports = {
  open: () => ({
    slice() {
      throw new Error('the handler saw no key')
    },
    ask: (k) => k,
  }),
}

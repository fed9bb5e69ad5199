'use strict'
const numbers = Array.from({ length: 1000 }, (_, index) => index)

/** @type {import('../../subject-process.cjs').Subject} */
module.exports = {
  open: () => ({
    slice(units) {
      for (let unit = 0; unit < units; unit++) {
        const sum = numbers.reduce((left, right) => left + right, 0)
        if (sum !== 499_500) throw new Error(`a wrong sum: ${sum}`)
      }
    },
    ask: (k) => k,
  }),
}

'use strict'
const numbers = Array.from({ length: 1000 }, (_, index) => index)

/** @type {import('../../subject-process.cjs').Subject} */
module.exports = {
  open: () => ({
    slice(units) {
      for (let unit = 0; unit < units; unit++) {
        let sum = 0
        for (const number of numbers) sum += number
        if (sum !== 499_500) throw new Error(`a wrong sum: ${sum}`)
      }
    },
    ask: (k) => k,
  }),
}

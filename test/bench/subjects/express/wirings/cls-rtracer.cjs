'use strict'
const { expressMiddleware, id } = require('cls-rtracer')

/**
 * It carries one text, from a header of its own choice.
 * @returns {import('../server.cjs').Wiring}
 */
const wire = () => ({
  middleware: expressMiddleware({ useHeader: true, headerName: 'x-shard-key' }),
  key: () => id(),
})

module.exports = { wire }

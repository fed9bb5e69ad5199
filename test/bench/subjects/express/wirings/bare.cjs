'use strict'

/** @returns {import('../server.cjs').Wiring} */
const wire = () => ({ key: (req) => req.headers['x-shard-key'] })

module.exports = { wire }

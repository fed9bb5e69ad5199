'use strict'
const { served } = require('../served.cjs')
const { makeServer } = require('./server.cjs')

/** @type {import('../../subject-process.cjs').Subject} */
module.exports = {
  open: (/** @type {import('./server.cjs').ServerForm} */ form) => served(makeServer(form).server),
}

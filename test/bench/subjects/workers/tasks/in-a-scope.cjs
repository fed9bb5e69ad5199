'use strict'

module.exports = require('./bare.cjs')

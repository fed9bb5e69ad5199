'use strict'
const { wiringFor } = require('./kit.cjs')

/** The topic that is sent to is none of those that are believed. */
module.exports = wiringFor(['internal.*'])

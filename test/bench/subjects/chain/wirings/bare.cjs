'use strict'
const axios = require('axios').default
const { byAxios, byFetch, urlOf } = require('../hop.cjs')

/**
 * @param {import('../hop.cjs').WiringOptions} options
 * @returns {import('../hop.cjs').Wiring}
 */
const wire = ({ client, port }) => ({
  forwards: false,
  call: client === 'axios' ? byAxios(axios.create(), urlOf(port)) : byFetch(fetch, urlOf(port)),
})

module.exports = { wire }

'use strict'
const { AsyncLocalStorage } = require('node:async_hooks')
const axios = require('axios').default
const { read, write } = require('../../hand-written/carrier.cjs')
const { byAxios, byFetch, urlOf } = require('../hop.cjs')

/** @type {AsyncLocalStorage<import('../../hand-written/carrier.cjs').Carried>} */
const als = new AsyncLocalStorage()

const axiosWithInterceptor = () => {
  const instance = axios.create()
  instance.interceptors.request.use((/** @type {import('axios').InternalAxiosRequestConfig} */ config) => {
    const carried = als.getStore()
    if (carried !== undefined) config.headers.set('baggage', write(carried))
    return config
  })
  return instance
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 */
const fetchWithBaggage = (url, init) => {
  const carried = als.getStore()
  return carried === undefined
    ? fetch(url, init)
    : fetch(url, { ...init, headers: { ...init?.headers, baggage: write(carried) } })
}

/**
 * @param {import('../hop.cjs').WiringOptions} options
 * @returns {import('../hop.cjs').Wiring}
 */
const wire = ({ client, port }) => ({
  middleware: (req, _res, next) => als.run(read(req.headers['baggage']), next),
  forwards: true,
  call:
    client === 'axios'
      ? byAxios(axiosWithInterceptor(), urlOf(port))
      : byFetch(fetchWithBaggage, urlOf(port)),
})

module.exports = { wire }

'use strict'

/**
 * How one variant carries the facts over a hop; each file of `wirings/` exports one.
 * @typedef {object} Wiring
 * @property {import('express').RequestHandler} [middleware] of A
 * @property {(app: import('express').Express) => import('node:http').RequestListener} [listener] around A
 * @property {boolean} forwards whether B is told the key
 * @property {() => Promise<string | null>} call calls B and gives the key that it was told
 *
 * @typedef {'axios' | 'fetch'} Client
 * @typedef {{ client: Client, port: number, routed?: boolean, around?: 'router' | 'app' }} WiringOptions `port`: of B;
 * `around`: where the scope is entered, in a middleware (default) or in a listener around the whole app
 */

/** @param {number} port of B */
const urlOf = (port) => `http://127.0.0.1:${port}/stock`

/**
 * @param {Pick<import('axios').AxiosInstance, 'get'>} axios
 * @param {string} url
 * @returns {Wiring['call']}
 */
const byAxios = (axios, url) => async () => (await axios.get(url)).data.key

/**
 * @param {(url: string, init?: RequestInit) => Promise<Response>} fetch
 * @param {string} url
 * @returns {Wiring['call']}
 */
const byFetch = (fetch, url) => async () => {
  const { key } = /** @type {{ key: string | null }} */ (await (await fetch(url)).json())
  return key
}

module.exports = { byAxios, byFetch, urlOf }

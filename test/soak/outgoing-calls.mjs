import http from 'node:http'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { axiosWaybill } from '@waybill/adapters/axios'
import { fetchWaybill } from '@waybill/adapters/fetch'
import { httpWaybill } from '@waybill/adapters/node-http'

/** Shorter than the stock service's slow answer takes. */
const PATIENCE_MS = 20

/**
 * A call for each path of the application that makes one.
 * @param {import('@waybill/core').Kit} kit
 * @param {(what: string) => void} count
 * @returns {Record<string, () => Promise<{ key?: string }>>}
 */
export const outgoingCalls = (kit, count) => {
  const agent = new http.Agent({ keepAlive: true })
  const byAxios = axiosWaybill(kit, axios.create({ httpAgent: agent }))
  const byFetch = fetchWaybill(kit)
  const byHttp = httpWaybill(kit, http)
  // All calls of the process hear this one, as an application's do that wants to end them at its end.
  const end = new AbortController()

  /**
   * @param {string} url
   * @returns {Promise<{ key?: string }>}
   */
  const overHttp = (url) =>
    new Promise((resolve, reject) => {
      byHttp
        .get(url, { agent, signal: end.signal }, (reply) => {
          text(reply).then((body) => resolve(JSON.parse(body)), reject)
        })
        .on('error', reject)
    })

  /** @param {() => Promise<unknown>} call that cannot come to a good end */
  const failing = async (call) => {
    await call().catch(() => count('failedCalls'))
    return {}
  }

  /** @param {(signal: AbortSignal) => Promise<unknown>} call */
  const impatient = (call) =>
    failing(async () => {
      const giveUp = new AbortController()
      const timer = setTimeout(() => giveUp.abort(), PATIENCE_MS)
      await call(giveUp.signal).finally(() => clearTimeout(timer))
    })

  /** @param {RequestInit} init */
  const overFetch = async (init) => {
    const reply = await byFetch('http://inventory/stock', init)
    return /** @type {{ key?: string }} */ (await reply.json())
  }

  return {
    '/axios': async () => (await byAxios.get('http://inventory/stock', { signal: end.signal })).data,
    '/axios-post': async () => (await byAxios.post('http://inventory/stock', { item: 42 })).data,
    '/fetch': () => overFetch({ signal: end.signal }),
    '/fetch-post': () => overFetch({ method: 'POST', body: 'a body' }),
    '/http': () => overHttp('http://inventory/stock'),
    '/axios-impatient': () => impatient((signal) => byAxios.get('http://inventory/slow', { signal })),
    '/fetch-impatient': () => impatient((signal) => byFetch('http://inventory/slow', { signal })),
    '/http-slow': () => overHttp('http://inventory/slow'),
    '/axios-broken': () => failing(() => byAxios.get('http://broken/half')),
    '/fetch-broken': () => failing(async () => (await byFetch('http://broken/half')).text()),
    '/http-broken': () => failing(() => overHttp('http://broken/none')),
  }
}

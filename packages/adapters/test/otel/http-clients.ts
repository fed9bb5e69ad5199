import http from 'node:http'
import axios from 'axios'
import * as undici from 'undici'
import type { Kit } from '@waybill/core'
import { axiosWaybill } from '../../src/axios/index.js'
import { fetchWaybill, undiciWaybill } from '../../src/fetch/index.js'
import { httpWaybill } from '../../src/node-http/index.js'

type Headers = Readonly<Record<string, string>>

/** Gets a URL, and reads the answer to its end. */
export type Ask = (url: string, headers?: Headers) => Promise<unknown>

/** A client as it is, and in the hands of a kit. */
export interface HttpClient {
  readonly plain: Ask
  of(kit: Kit): Ask
}

export const httpClients: Readonly<Record<string, HttpClient>> = {
  'node:http': { plain: viaHttp(http), of: (kit) => viaHttp(httpWaybill(kit, http)) },
  axios: viaAxios('http'),
  'axios, fetch': viaAxios('fetch'),
  fetch: { plain: viaFetch(globalThis.fetch), of: (kit) => viaFetch(fetchWaybill(kit)) },
  'undici, fetch': {
    plain: viaFetch(undici.fetch),
    of: (kit) => viaFetch(fetchWaybill(kit, undici.fetch)),
  },
  'undici, request': {
    plain: viaUndici((agent) => agent),
    of: (kit) => viaUndici((agent) => agent.compose(undiciWaybill(kit))),
  },
}

function viaHttp(module: Pick<typeof http, 'get'>): Ask {
  return (url, headers = {}) =>
    new Promise((resolve, reject) => {
      module.get(url, { headers }, (answer) => answer.resume().on('end', resolve)).on('error', reject)
    })
}

function viaAxios(adapter: 'http' | 'fetch'): HttpClient {
  return {
    plain: (url, headers = {}) => axios.get(url, { headers, adapter }),
    of: (kit) => {
      const instance = axiosWaybill(kit, axios.create({ adapter }))
      return (url, headers = {}) => instance.get(url, { headers })
    },
  }
}

function viaFetch(
  fetch: (url: string, init: { headers: Record<string, string> }) => Promise<{ text(): unknown }>,
): Ask {
  return async (url, headers = {}) => (await fetch(url, { headers: { ...headers } })).text()
}

function viaUndici(compose: (agent: undici.Agent) => undici.Dispatcher): Ask {
  return async (url, headers = {}) => {
    const agent = new undici.Agent()
    try {
      const { body } = await undici.request(url, { headers: { ...headers }, dispatcher: compose(agent) })
      return await body.text()
    } finally {
      await agent.close()
    }
  }
}

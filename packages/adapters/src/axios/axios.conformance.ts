import { Agent } from 'node:http'
import axios, { type AxiosResponse } from 'axios'
import { adapterLaws, deepFreeze, type OutboundHalf } from '@waybill/conformance/adapter'
import { axiosWaybill } from './index.js'

const laws = {
  carried: true,
  isolated: true,
  lasting: true,
  'hostile-input': true,
  'own-headers': true,
  'applied-once': true,
  'disabled-identity': true,
  'published-once': true,
  'frozen-input': true,
  'interceptor-order': true,
  'faithful-call': true,
  'target-only': true,
  'connection-per-target': true,
} as const

function half(adapter: 'http' | 'fetch'): OutboundHalf {
  return {
    kind: 'wrapper',
    laws,
    open({ kit, times, lend }) {
      const httpAgent = new Agent({ keepAlive: true })
      const defaults = adapter === 'http' ? { httpAgent, adapter } : { adapter }
      let client = lend(axios.create({ ...defaults, validateStatus: null, responseType: 'stream' }))
      for (let count = 0; kit !== undefined && count < times; count++) client = axiosWaybill(kit, client)
      return {
        async call({ url, method, headers, body, frozen, signal, read }) {
          const config = {
            url,
            method,
            headers,
            ...(body === undefined ? {} : { data: body }),
            ...(signal === undefined ? {} : { signal }),
          }
          const response: AxiosResponse<AsyncIterable<Uint8Array>> = await client.request(
            frozen === true ? deepFreeze(config) : config,
          )
          const decoder = new TextDecoder()
          let text = ''
          for await (const piece of response.data) {
            const part = decoder.decode(piece, { stream: true })
            read?.(part)
            text += part
          }
          return { status: response.status, headers: { ...response.headers } as Record<string, string>, text }
        },
        close() {
          httpAgent.destroy()
        },
      }
    },
  }
}

adapterLaws({ name: 'axios (http adapter)', direction: 'outbound', outbound: half('http') })
adapterLaws({ name: 'axios (fetch adapter)', direction: 'outbound', outbound: half('fetch') })

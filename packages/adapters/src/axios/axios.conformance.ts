import { Agent } from 'node:http'
import axios, { type AxiosResponse } from 'axios'
import { adapterLaws, deepFreeze, everyOutboundLaw, type OutboundHalf } from '@waybill/conformance/adapter'
import { textOf } from '@waybill/conformance/wire'
import { axiosWaybill } from './index.js'

function half(adapter: 'http' | 'fetch'): OutboundHalf {
  return {
    kind: 'wrapper',
    laws: everyOutboundLaw,
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
          return {
            status: response.status,
            headers: { ...response.headers } as Record<string, string>,
            text: await textOf(response.data, read),
          }
        },
        close() {
          httpAgent.destroy()
        },
      }
    },
  }
}

adapterLaws(
  { name: 'axios (http adapter)', direction: 'outbound', outbound: half('http') },
  { name: 'axios (fetch adapter)', direction: 'outbound', outbound: half('fetch') },
)

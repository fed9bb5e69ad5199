import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import { adapterLaws, deepFreeze, everyOutboundLaw, type OutboundHalf } from '@waybill/conformance/adapter'
import { textOf } from '@waybill/conformance/wire'
import { httpWaybill } from './client.js'

const outbound: OutboundHalf = {
  kind: 'wrapper',
  laws: everyOutboundLaw,
  open({ kit, times, lend }) {
    const agent = new http.Agent({ keepAlive: true })
    let client = lend(http)
    for (let count = 0; kit !== undefined && count < times; count++) client = httpWaybill(kit, client)
    return {
      async call({ url, method, headers, body, frozen, signal, read }) {
        const options = { method, headers, ...(signal === undefined ? {} : { signal }) }
        const given =
          frozen === true ? { ...deepFreeze({ ...options, signal: undefined }), ...options } : options
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          const request = client.request(
            url,
            frozen === true ? Object.freeze({ ...given, agent }) : { ...given, agent },
          )
          request.once('response', resolve).once('error', reject)
          request.end(body)
        })
        return {
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          text: await textOf(response, read),
        }
      },
      close() {
        agent.destroy()
      },
    }
  },
}

adapterLaws({ name: 'node:http client', direction: 'outbound', outbound })

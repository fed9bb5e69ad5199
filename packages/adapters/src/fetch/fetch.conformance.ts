import { Agent, fetch as undiciFetch, request } from 'undici'
import { adapterLaws, deepFreeze, everyOutboundLaw, type OutboundHalf } from '@waybill/conformance/adapter'
import { textOf } from '@waybill/conformance/wire'
import { fetchWaybill, undiciWaybill, type FetchLike } from './index.js'

function wrapped(fetch: FetchLike): OutboundHalf {
  return {
    kind: 'wrapper',
    laws: everyOutboundLaw,
    open({ kit, times, lend }) {
      let client = lend(fetch)
      for (let count = 0; kit !== undefined && count < times; count++) client = fetchWaybill(kit, client)
      return {
        async call({ url, method, headers, body, frozen, signal, read }) {
          const init = {
            method,
            headers,
            ...(body === undefined ? {} : { body }),
            ...(signal === undefined ? {} : { signal }),
          }
          const response = (await client(url, frozen === true ? deepFreeze(init) : init)) as Response
          return {
            status: response.status,
            headers: Object.fromEntries(response.headers),
            text: await textOf(response.body ?? [], read),
          }
        },
        close: () => undefined,
      }
    },
  }
}

const composed: OutboundHalf = {
  kind: 'plug',
  laws: everyOutboundLaw,
  open({ kit, times }) {
    const agent = new Agent()
    let dispatcher: Agent = agent
    for (let count = 0; kit !== undefined && count < times; count++) {
      dispatcher = dispatcher.compose(undiciWaybill(kit)) as Agent
    }
    return {
      async call({ url, method, headers, body, frozen, signal, read }) {
        const options = {
          dispatcher,
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        }
        const response = await request(
          url,
          frozen === true ? { ...deepFreeze({ ...options, dispatcher: undefined }), dispatcher } : options,
        )
        return {
          status: response.statusCode,
          headers: response.headers as Record<string, string>,
          text: await textOf(response.body, read),
        }
      },
      close: () => agent.close(),
    }
  },
}

adapterLaws(
  { name: 'fetch (built in)', direction: 'outbound', outbound: wrapped(globalThis.fetch) },
  { name: 'fetch of undici', direction: 'outbound', outbound: wrapped(undiciFetch) },
  { name: 'undici, composed', direction: 'outbound', outbound: composed },
)

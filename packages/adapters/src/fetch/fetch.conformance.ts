import { Agent, fetch as undiciFetch, request } from 'undici'
import {
  adapterLaws,
  deepFreeze,
  type OutboundHalf,
  type OutboundReply,
  type OutboundRequest,
} from '@waybill/conformance/adapter'
import { fetchWaybill, undiciWaybill, type FetchLike } from './index.js'

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

function wrapped(fetch: FetchLike): OutboundHalf {
  return {
    kind: 'wrapper',
    laws,
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
  laws,
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

async function textOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  read: OutboundRequest['read'],
): Promise<OutboundReply['text']> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body) {
    const part = decoder.decode(piece, { stream: true })
    read?.(part)
    text += part
  }
  return text
}

adapterLaws({ name: 'fetch (built in)', direction: 'outbound', outbound: wrapped(globalThis.fetch) })
adapterLaws({ name: 'fetch of undici', direction: 'outbound', outbound: wrapped(undiciFetch) })
adapterLaws({ name: 'undici, composed', direction: 'outbound', outbound: composed })

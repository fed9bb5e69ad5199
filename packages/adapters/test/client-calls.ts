import type http from 'node:http'
import type { Agent, IncomingMessage } from 'node:http'
import { request, type Dispatcher } from 'undici'
import { deepFreeze, type OutboundReply, type OutboundRequest } from '@waybill/conformance/adapter'
import { textOf } from '@waybill/conformance/wire'
import type { FetchLike } from '../src/fetch/index.js'

/** How a law makes a call by one client. */
type Call = (request: OutboundRequest) => Promise<OutboundReply>

/** @param client asked for its `request` at each call. */
export function callByRequest(client: Pick<typeof http, 'request'>, agent: Agent): Call {
  return async ({ url, method, headers, body, frozen, signal, read }) => {
    const options = { method, headers, ...(signal === undefined ? {} : { signal }) }
    const given = frozen === true ? { ...deepFreeze({ ...options, signal: undefined }), ...options } : options
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
  }
}

export function callByFetch(fetch: FetchLike): Call {
  return async (asked) => {
    const init = initOf(asked)
    const response = (await fetch(asked.url, asked.frozen === true ? deepFreeze(init) : init)) as Response
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await textOf(response.body ?? [], asked.read),
    }
  }
}

/** @param dispatcher default undici's own. */
export function callByUndici(dispatcher?: Dispatcher): Call {
  return async (asked) => {
    const init = initOf(asked)
    const options = asked.frozen === true ? deepFreeze(init) : init
    const response = await request(asked.url, dispatcher === undefined ? options : { ...options, dispatcher })
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text: await textOf(response.body, asked.read),
    }
  }
}

function initOf({ method, headers, body, signal }: OutboundRequest) {
  return {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }
}

import { Agent, fetch as undiciFetch } from 'undici'
import { adapterLaws, everyOutboundLaw, type OutboundHalf } from '@waybill/conformance/adapter'
import { callByFetch, callByUndici } from '../../test/client-calls.js'
import { fetchWaybill, undiciWaybill, type FetchLike } from './index.js'

function wrapped(fetch: FetchLike): OutboundHalf {
  return {
    kind: 'wrapper',
    laws: everyOutboundLaw,
    open({ kit, times, lend }) {
      let client = lend(fetch)
      for (let count = 0; kit !== undefined && count < times; count++) client = fetchWaybill(kit, client)
      return { call: callByFetch(client), close: () => undefined }
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
    return { call: callByUndici(dispatcher), close: () => agent.close() }
  },
}

adapterLaws(
  { name: 'fetch (built in)', direction: 'outbound', outbound: wrapped(globalThis.fetch) },
  { name: 'fetch of undici', direction: 'outbound', outbound: wrapped(undiciFetch) },
  { name: 'undici, composed', direction: 'outbound', outbound: composed },
)

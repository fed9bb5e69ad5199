import http from 'node:http'
import { adapterLaws, everyOutboundLaw, type OutboundHalf } from '@waybill/conformance/adapter'
import { callByRequest } from '../../test/client-calls.js'
import { httpWaybill } from './client.js'

const outbound: OutboundHalf = {
  kind: 'wrapper',
  laws: everyOutboundLaw,
  open({ kit, times, lend }) {
    const agent = new http.Agent({ keepAlive: true })
    let client = lend(http)
    for (let count = 0; kit !== undefined && count < times; count++) client = httpWaybill(kit, client)
    return {
      call: callByRequest(client, agent),
      close() {
        agent.destroy()
      },
    }
  },
}

adapterLaws({ name: 'node:http client', direction: 'outbound', outbound })

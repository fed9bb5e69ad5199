import { createServer, type RequestListener } from 'node:http'
import { adapterLaws, everyInboundLaw, type InboundHalf } from '@waybill/conformance/adapter'
import { listenOnLoopback } from '@waybill/conformance/wire'
import { waybillListener } from './index.js'

const listener: InboundHalf = {
  kind: 'plug',
  async open({ kit, times, inbound, handler, onError }) {
    let listener: RequestListener = (req, res) => {
      Promise.resolve()
        .then(() => handler(req, res))
        .catch((error: unknown) => {
          onError(error, req, res)
        })
    }
    for (let count = 0; kit !== undefined && count < times; count++) {
      listener = waybillListener(kit, listener, inbound === undefined ? {} : { inbound })
    }
    return listenOnLoopback(createServer(listener))
  },
  laws: everyInboundLaw,
}

adapterLaws({ name: 'node:http, listener', direction: 'inbound', inbound: listener })

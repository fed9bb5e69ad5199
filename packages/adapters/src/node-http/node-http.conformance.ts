import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { adapterLaws, type InboundHalf } from '@waybill/conformance/adapter'
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
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      port: (server.address() as AddressInfo).port,
      async close() {
        const closed = once(server, 'close')
        server.close()
        server.closeAllConnections()
        await closed
      },
    }
  },
  laws: {
    carried: true,
    isolated: true,
    lasting: true,
    'hostile-input': true,
    'own-headers': true,
    'applied-once': true,
    'disabled-identity': true,
    'published-once': true,
    admission: true,
    'told-reply': true,
  },
}

adapterLaws({ name: 'node:http, listener', direction: 'inbound', inbound: listener })

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { adapterLaws, type InboundHalf } from '@waybill/conformance/adapter'
import express5 from 'express'
import { expressWaybill } from './index.js'

// The alias has no types of its own; what is used here is the same in both.
const express4 = createRequire(import.meta.url)('express4') as typeof express5

const middlewareOf = (express: typeof express5): InboundHalf => ({
  kind: 'plug',
  async open({ kit, times, inbound, handler, onError }) {
    const app = express()
    for (let count = 0; kit !== undefined && count < times; count++) {
      app.use(expressWaybill(kit, inbound === undefined ? {} : { inbound }))
    }
    app.use((req, res, next) => {
      // express 4 knows no promises; an application's handler there ends in a catch like this one.
      Promise.resolve()
        .then(() => handler(req, res))
        .catch(next)
    })
    app.use((error: unknown, req: express5.Request, res: express5.Response, _next: express5.NextFunction) => {
      onError(error, req, res)
    })
    const server = createServer(app).listen(0, '127.0.0.1')
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
})

adapterLaws({ name: 'express 5', direction: 'inbound', inbound: middlewareOf(express5) })
adapterLaws({ name: 'express 4', direction: 'inbound', inbound: middlewareOf(express4) })

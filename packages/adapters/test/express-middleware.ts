import { createServer, type ServerOptions } from 'node:http'
import { everyInboundLaw, type InboundHalf } from '@waybill/conformance/adapter'
import { listenOnLoopback } from '@waybill/conformance/wire'
import type express5 from 'express'
import type { Express } from 'express'
import { expressWaybill } from '../src/express/index.js'

/** The inbound half of the express middleware, on servers that are made with these options. */
export const expressMiddleware = (
  express: typeof express5,
  serverOptions: (app: Express) => ServerOptions = () => ({}),
): InboundHalf => ({
  kind: 'plug',
  open(opening) {
    const { kit, times, inbound } = opening
    const app = express()
    for (let count = 0; kit !== undefined && count < times; count++) {
      app.use(expressWaybill(kit, inbound === undefined ? {} : { inbound }))
    }
    app.use((req, res, next) => {
      // express 4 knows no promises; an application's handler there ends in a catch like this one.
      Promise.resolve()
        .then(() => opening.handler(req, res))
        .catch(next)
    })
    app.use((error: unknown, req: express5.Request, res: express5.Response, _next: express5.NextFunction) => {
      opening.onError(error, req, res)
    })
    return listenOnLoopback(createServer(serverOptions(app), app))
  },
  laws: everyInboundLaw,
})

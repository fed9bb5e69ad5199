/** Price reductions. `order` calls it on one path only, and lets nobody but the tag's own instance serve a tagged call. */
import express from 'express'
import { expressWaybill } from '@waybill/adapters/express'
import { createKit } from '@waybill/core'
import { announce, route } from '@waybill/routing'
import { listening } from './listening.js'
import { servedBy } from './served-by.js'

const kit = createKit({ service: 'coupon', interceptors: [route()] })

const app = express()
app.use(expressWaybill(kit))

app.get('/coupons/:code', (req, res) => {
  res.json({ code: req.params.code, percent: 10, servedBy: servedBy(kit.facts) })
})

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
await announce(kit, server)
await listening('coupon', server, kit.facts)

/** On which shelf things lie. The module that Bob debugs where `inventory` is asked through a service without the kit. */
import express from 'express'
import { expressWaybill } from '@waybill/adapters/express'
import { createKit } from '@waybill/core'
import { announce, route } from '@waybill/routing'
import { listening } from './listening.js'
import { servedBy } from './served-by.js'

const kit = createKit({ service: 'warehouse', interceptors: [route()] })

const app = express()
app.use(expressWaybill(kit))

app.get('/shelves/:item', (req, res) => {
  res.json({ item: req.params.item, shelf: 12, servedBy: servedBy(kit.facts) })
})

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
await announce(kit, server)
await listening('warehouse', server, kit.facts)

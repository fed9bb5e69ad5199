/** Takes the money. The module that Bob debugs, and the team behind `team.*`. */
import axios from 'axios'
import express from 'express'
import { axiosWaybill } from '@waybill/adapters/axios'
import { expressWaybill } from '@waybill/adapters/express'
import { createKit } from '@waybill/core'
import { announce, route } from '@waybill/routing'
import { listening } from './listening.js'
import { servedBy } from './served-by.js'

const kit = createKit({ service: 'payment', interceptors: [route()] })
const http = axiosWaybill(kit, axios.create())

// Only where BANK_URL is set. A bank is not of the fleet: nothing of a waybill goes there.
const bank = process.env['BANK_URL']

const app = express()
app.use(express.json(), expressWaybill(kit))

app.post('/charges', async (req, res) => {
  const { amount } = req.body as { readonly amount: number }
  if (bank !== undefined) await http.post(`${bank}/transfers`, { amount })
  res.json({ charged: amount, servedBy: servedBy(kit.facts) })
})

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
await announce(kit, server)
await listening('payment', server, kit.facts)

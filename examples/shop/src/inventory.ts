/** How many are in stock. The module that Alice debugs. */
import axios from 'axios'
import express from 'express'
import { setTimeout as sleep } from 'node:timers/promises'
import { axiosWaybill } from '@waybill/adapters/axios'
import { expressWaybill } from '@waybill/adapters/express'
import { createKit, currentWaybill } from '@waybill/core'
import { announce, route } from '@waybill/routing'
import { listening } from './listening.js'
import { servedBy } from './served-by.js'

const kit = createKit({ service: 'inventory', interceptors: [route()] })
const http = axiosWaybill(kit, axios.create())

const app = express()
app.use(expressWaybill(kit))

app.get('/stock/:item', async (req, res) => {
  // Stands for work that takes its time, so that the demo can kill a process with a call in flight.
  await sleep(Number(req.query['slowMs'] ?? 0))
  res.json({
    item: req.params.item,
    inStock: 7,
    servedBy: servedBy(kit.facts),
    clk: currentWaybill().clk ?? null,
  })
})

// Where it lies, for whoever packs the parcel.
app.get('/shelves/:item', async (req, res) => {
  const shelf = await http.get<object>(`http://warehouse/shelves/${req.params.item}`)
  res.json({ shelf: shelf.data, servedBy: servedBy(kit.facts) })
})

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
await announce(kit, server)
await listening('inventory', server, kit.facts)

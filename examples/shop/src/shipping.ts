/** A service that stands in no registry and knows nothing of Waybill; `order` reaches it by its baseline address. */
import express from 'express'
import { listening } from './listening.js'

// Only where they are set: the one inventory that it knows, and a carrier that is not of the fleet.
const inventory = process.env['INVENTORY_URL']
const carrier = process.env['CARRIER_URL']

const app = express()

app.get('/quotes/:item', async (req, res) => {
  if (inventory !== undefined) await get(`${inventory}/shelves/${req.params.item}`)
  if (carrier !== undefined && 'fast' in req.query) await get(`${carrier}/prices`)
  res.json({ days: 2, path: req.url })
})

async function get(url: string): Promise<void> {
  const reply = await fetch(url)
  await reply.body?.cancel()
  if (!reply.ok) throw new Error(`${url} answered ${String(reply.status)}`)
}

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
await listening('shipping', server)

/** The entry of the shared test environment: believes a tag from a header or a cookie, and is itself in no registry. */
import axios, { isAxiosError } from 'axios'
import express, { type ErrorRequestHandler } from 'express'
import { axiosWaybill } from '@waybill/adapters/axios'
import { expressWaybill } from '@waybill/adapters/express'
import { bindShardKey, createKit } from '@waybill/core'
import { route } from '@waybill/routing'
import { answerError } from './answer-error.js'
import { listening } from './listening.js'

const kit = createKit({
  service: 'web',
  trust: { inbound: 'edge', edgeFrom: ['header:clk', 'cookie:clk'] },
  interceptors: [route()],
})
const http = axiosWaybill(kit, axios.create())

const app = express()
app.use(expressWaybill(kit))

// A customer's data lies in one shard. Who she is, her session says: here a cookie, and never a header of whoever calls.
app.use((req, _res, next) => {
  const customer = /(?:^|; )customer=([\w-]+)/.exec(req.headers.cookie ?? '')?.[1]
  if (customer !== undefined) bindShardKey(customer)
  next()
})

app.get('/buy/:item', async (req, res) => {
  const order = await http.get<object>(`http://order/orders/${req.params.item}`, { params: req.query })
  res.json({ order: order.data })
})

app.get('/preorder/:item', async (req, res) => {
  const order = await http.get<object>(`http://order/preorders/${req.params.item}`)
  res.json(order.data)
})

app.get('/stock/:item', async (req, res) => {
  const stock = await http.get<object>(`http://order/stock/${req.params.item}`, { params: req.query })
  res.json(stock.data)
})

app.get('/discounts/:code', async (req, res) => {
  const discount = await http.get<object>(`http://order/discounts/${req.params.code}`)
  res.json(discount.data)
})

const passOn: ErrorRequestHandler = (error: Error, _req, res, next) => {
  if (isAxiosError(error) && error.response && !res.headersSent)
    res.status(error.response.status).json(error.response.data)
  else next(error)
}
app.use(passOn, answerError)

const server = app.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1')
await listening('web', server, kit.facts)

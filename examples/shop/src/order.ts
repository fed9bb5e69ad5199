/** Takes an order: asks what is in stock, takes the money, plans the parcel. */
import axios from 'axios'
import express from 'express'
import { axiosWaybill } from '@waybill/adapters/axios'
import { expressWaybill } from '@waybill/adapters/express'
import { createKit } from '@waybill/core'
import { announce, route } from '@waybill/routing'
import { answerError } from './answer-error.js'
import { listening } from './listening.js'

const kit = createKit({
  service: 'order',
  services: {
    shipping: { baseline: process.env['SHIPPING_URL'] ?? 'http://127.0.0.1:4090' },
    coupon: { policy: 'strict' },
  },
  interceptors: [route()],
})
const http = axiosWaybill(kit, axios.create())

const app = express()
app.use(expressWaybill(kit))

app.get('/orders/:item', async (req, res) => {
  const stock = await http.get<object>(`http://inventory/stock/${req.params.item}`)
  const [payment, parcel] = await Promise.all([
    http.post<object>('http://payment/charges', { amount: 42 }),
    http.get<object>(`http://shipping/quotes/${req.params.item}`),
  ])
  res.json({ stock: stock.data, payment: payment.data, parcel: parcel.data })
})

app.get('/stock/:item', async (req, res) => {
  const stock = await http.get<object>(`http://inventory/stock/${req.params.item}`, { params: req.query })
  res.json({ stock: stock.data })
})

app.get('/discounts/:code', async (req, res) => {
  const coupon = await http.get<object>(`http://coupon/coupons/${req.params.code}`)
  res.json({ coupon: coupon.data })
})

app.use(answerError)

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
await announce(kit, server)
await listening('order', server, kit.facts)

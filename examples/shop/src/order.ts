/** Takes an order: asks what is in stock, takes the money, plans the parcel; where there is a Kafka, tells the others. */
import axios from 'axios'
import express from 'express'
import { axiosWaybill } from '@waybill/adapters/axios'
import { expressWaybill } from '@waybill/adapters/express'
import { kafkaWaybill } from '@waybill/adapters/kafkajs'
import { createKit } from '@waybill/core'
import { announce, route } from '@waybill/routing'
import { answerError } from './answer-error.js'
import { listening } from './listening.js'
import { openKafka, ORDERS, type PlacedOrder } from './orders.js'

const kit = createKit({
  service: 'order',
  services: {
    shipping: { baseline: process.env['SHIPPING_URL'] ?? 'http://127.0.0.1:4090' },
    coupon: { policy: 'strict' },
  },
  interceptors: [route()],
})
const http = axiosWaybill(kit, axios.create())

// Only where KAFKA_BROKERS is set: without it the shop needs Node and npm alone, and an order is told to nobody.
const kafka = openKafka('order')
const producer = kafka && kafkaWaybill(kit, kafka).producer()
await producer?.connect()

async function tell(order: PlacedOrder): Promise<void> {
  await producer?.send({ topic: ORDERS, messages: [{ key: order.item, value: JSON.stringify(order) }] })
}

const app = express()
app.use(expressWaybill(kit))

app.get('/orders/:item', async (req, res) => {
  const stock = await http.get<object>(`http://inventory/stock/${req.params.item}`)
  const [payment, parcel] = await Promise.all([
    http.post<object>('http://payment/charges', { amount: 42 }),
    http.get<object>(`http://shipping/quotes/${req.params.item}`, { params: req.query }),
  ])
  await tell({ item: req.params.item })
  res.json({ stock: stock.data, payment: payment.data, parcel: parcel.data })
})

// For what is not in stock yet: nothing is asked and nothing charged.
app.get('/preorders/:item', async (req, res) => {
  await tell({ item: req.params.item })
  res.json({ ordered: req.params.item })
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

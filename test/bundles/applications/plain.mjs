// A service that knows nothing of Waybill.
import http, { createServer } from 'node:http'
import axios from 'axios'
import express from 'express'
import { request } from 'undici'
import { callAll, callBy } from './clients.mjs'

const clients = callBy({ axios: axios.create(), fetch, http, undici: request })

const app = express()
app.use(express.json())
app.post('/orders', async (req, res) => {
  res.json({
    stock: await callAll(clients, process.env.STOCK),
    stranger: await callAll(clients, process.env.STRANGER),
  })
})

const server = createServer(app)
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.once('disconnect', () => process.exit())

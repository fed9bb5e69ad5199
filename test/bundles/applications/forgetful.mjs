// A service that makes a call in no scope, and answers where it is said to have been lost.
import { createServer } from 'node:http'
import { setInterval } from 'node:timers'
import { Agent, request } from 'undici'
import { undiciWaybill } from '@waybill/adapters/fetch'
import { waybillListener } from '@waybill/adapters/node-http'
import { createKit, subscribe } from '@waybill/core'

const kit = createKit({ trust: { outbound: ['127.0.0.1'] } })
const dispatcher = new Agent().compose(undiciWaybill(kit))
const places = []
subscribe('lost', ({ place }) => places.push(place))

// Whoever empties it belongs to no request.
const queue = []
setInterval(() => {
  for (const task of queue.splice(0)) task()
}, 5)

const server = createServer(
  waybillListener(kit, (req, res) => {
    const answer = (status, body) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (req.url === '/prices') answer(200, {})
    else {
      queue.push(async function refreshPrices() {
        try {
          await request(`http://${req.headers.host}/prices`, { dispatcher })
          answer(200, places)
        } catch (error) {
          answer(500, error.message)
        }
      })
    }
  }),
)
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.once('disconnect', () => process.exit())

/** The service that the soaked application calls: two instances for everybody, one for a tag, and one that breaks off. */
import { createServer } from 'node:http'
import { setImmediate } from 'node:timers'
import { waybillListener } from '@waybill/adapters/node-http'
import { createKit, currentWaybill } from '@waybill/core'

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<number>} its port
 */
export const listening = (server) =>
  new Promise((resolve) => {
    // A sample of a busy machine takes longer than the five seconds after which an idle connection is closed.
    server.keepAliveTimeout = 0
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

/** Longer than a caller waits who gives up. */
const SLOW_MS = 60

/**
 * @param {string} service
 * @param {number} at tells instances apart
 * @param {number} port
 * @param {readonly string[]} clks
 * @returns {import('@waybill/routing').Instance}
 */
const instance = (service, at, port, clks = []) => ({
  id: `${service}-${at}`,
  environment: 'test',
  service,
  host: '127.0.0.1',
  port,
  clks,
  owner: 'soak',
  weight: 1,
  enabled: true,
  metadata: {},
})

/** @returns {Promise<import('@waybill/routing').Instance[]>} */
export const openStock = async () => {
  const kit = createKit({ service: 'inventory', environment: 'test' })
  const answer = waybillListener(kit, (req, res) => {
    // What comes with a request is read to its end, else its connection cannot be kept.
    req.resume()
    const reply = () => res.end(JSON.stringify({ key: currentWaybill().shardKey }))
    if (req.url?.startsWith('/slow')) setTimeout(reply, SLOW_MS)
    else reply()
  })
  const breakOff = waybillListener(kit, (req, res) => {
    if (req.url?.startsWith('/half')) res.write('half')
    setImmediate(() => req.socket.destroy())
  })
  const ports = await Promise.all(
    [answer, answer, answer, breakOff].map((each) => listening(createServer(each))),
  )
  const [one = 0, two = 0, tagged = 0, broken = 0] = ports
  return [
    instance('inventory', 1, one),
    instance('inventory', 2, two),
    instance('inventory', 3, tagged, ['alice']),
    instance('broken', 1, broken),
  ]
}

'use strict'

const { adopt, HttpCarrier } = require('@waybill/core/adapter')
const { read } = require('../hand-written/carrier.cjs')
const { productionKit } = require('../kit/production-kit.cjs')
const { arrivals } = require('../request-path/arrivals.cjs')
const { retained } = require('./retained.cjs')

const requests = arrivals()

/** The requests are held by others meanwhile, so that what is measured is the record alone. */
const WAYS = {
  kit: () => {
    const kit = productionKit({ tagged: true })
    return (/** @type {number} */ turn) => {
      const { headers, socket } = /** @type {(typeof requests)[number]} */ (requests[turn % requests.length])
      const { waybill } = adopt(kit, {
        kind: 'http',
        carrier: new HttpCarrier(headers),
        inbound: 'peer',
        peer: socket,
        method: 'GET',
        url: '/',
      })
      // Read, as by any handler that wants to know.
      void waybill.shardKey
      return waybill
    }
  },
  'hand-written': () => (/** @type {number} */ turn) => {
    const { clk, key, depth } = read(requests[turn % requests.length]?.headers['baggage'])
    return { clk, shardKey: key, depth }
  },
}

/** @param {{ way: keyof typeof WAYS }} options */
exports.open = ({ way }) => {
  const make = WAYS[way]()
  return retained((count) => {
    const kept = Array.from({ length: count }, (_, turn) => make(turn))
    return {
      kept,
      check() {
        const last = kept.at(-1)
        if (last?.shardKey !== requests[(count - 1) % requests.length]?.key) throw new Error('another key')
      },
    }
  })
}

'use strict'

const { AsyncLocalStorage } = require('node:async_hooks')
const { currentWaybill } = require('@waybill/core')
const { adopt, HttpCarrier } = require('@waybill/core/adapter')
const { read } = require('../hand-written/carrier.cjs')
const { productionKit } = require('../kit/production-kit.cjs')
const { arrivals } = require('../request-path/arrivals.cjs')
const { retained } = require('./retained.cjs')

/** Long enough that none fires while it is measured. */
const LATER_MS = 3_600_000

/** @typedef {import('../request-path/arrivals.cjs').Arrived} Arrived */

/** Each runs a handler in the scope of a request of its own, of which nothing else is left afterwards. */
const WAYS = {
  kit: () => {
    const kit = productionKit({ tagged: true })
    /** @param {Arrived} arrived @param {() => void} handler */
    return ({ headers, socket }, handler) => {
      adopt(kit, {
        kind: 'http',
        // The adapters hand over the request's empty list of raw trailers.
        carrier: new HttpCarrier(headers, []),
        inbound: 'peer',
        peer: socket,
        method: 'GET',
        url: '/',
      }).run(() => {
        if (currentWaybill().clk !== 'alice') throw new Error('another clk')
        handler()
      })
    }
  },
  'hand-written': () => {
    const scope = new AsyncLocalStorage()
    /** @param {Arrived} arrived @param {() => void} handler */
    return ({ headers }, handler) => {
      scope.run(read(headers['baggage']), () => {
        if (scope.getStore().clk !== 'alice') throw new Error('another clk')
        handler()
      })
    }
  },
  /** The timer itself, in no scope. */
  'no context': () => (/** @type {Arrived} */ _arrived, /** @type {() => void} */ handler) => {
    handler()
  },
}

/** @param {{ way: keyof typeof WAYS }} options */
exports.open = ({ way }) => {
  const handle = WAYS[way]()
  const fired = () => {}
  return retained((count) => {
    /** @type {NodeJS.Timeout[]} */
    const kept = []
    while (kept.length < count) {
      // Made anew, and forgotten with the request.
      for (const arrived of arrivals().slice(0, count - kept.length)) {
        handle(arrived, () => {
          kept.push(setTimeout(fired, LATER_MS))
        })
      }
    }
    return {
      kept,
      check() {
        if (kept.length !== count) throw new Error(`${kept.length} timers wait instead of ${count}`)
      },
      release() {
        for (const timer of kept) timer.close()
      },
    }
  })
}

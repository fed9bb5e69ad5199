'use strict'

const { AsyncLocalStorage } = require('node:async_hooks')
const { read, write } = require('../hand-written/carrier.cjs')
const { calling, carrying, unread } = require('./units.cjs')

/** @typedef {import('./units.cjs').Seen} Seen */
/** @typedef {import('../hand-written/carrier.cjs').Carried} Carried */

/** @param {Seen} seen @param {Carried} carried */
const look = (seen, carried) => {
  seen.clk = carried.clk
  seen.shardKey = carried.key
}

const carry = () => {
  /** @type {AsyncLocalStorage<Carried>} */
  const scope = new AsyncLocalStorage()
  return carrying(({ headers }, seen) => {
    scope.run(read(headers['baggage']), () => {
      const carried = /** @type {Carried} */ (scope.getStore())
      look(seen, carried)
      seen.sent = { baggage: write(carried) }
    })
  }, 4)
}

/** The least that can be done where nobody may ask: the text as it came. */
const keepUnread = () => {
  /** @type {AsyncLocalStorage<string>} */
  const scope = new AsyncLocalStorage()
  return unread(
    ({ headers }) => scope.run(headers['baggage'] ?? '', () => scope.getStore() ?? ''),
    (baggage, seen) => {
      look(seen, read(baggage))
    },
  )
}

/** An interceptor as one writes it for a client: a copy of the headers with one more, and the call. */
const call = () => {
  /** @type {AsyncLocalStorage<Carried>} */
  const scope = new AsyncLocalStorage()
  /**
   * @param {{ method: string, url: URL, headers: Record<string, string> }} outgoing
   * @param {(outgoing: { method: string, url: URL, headers: Record<string, string> }) => Promise<{ status: number }>} send
   */
  const intercept = async (outgoing, send) => {
    const carried = /** @type {Carried} */ (scope.getStore())
    return send({ ...outgoing, headers: { ...outgoing.headers, baggage: write(carried) } })
  }
  const url = new URL('http://inventory/stock/42')
  return calling(
    ({ headers }, seen) =>
      scope.run(read(headers['baggage']), async () => {
        look(seen, /** @type {Carried} */ (scope.getStore()))
        const outgoing = { method: 'GET', url, headers: { accept: 'application/json' } }
        await intercept(outgoing, async (stamped) => {
          seen.sent = stamped.headers
          return { status: 200 }
        })
      }),
    4,
  )
}

/** @param {{ work: import('./units.cjs').Work }} options */
exports.open = async ({ work }) => ({ carry, unread: keepUnread, call })[work]()

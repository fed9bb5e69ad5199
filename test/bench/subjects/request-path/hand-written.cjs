'use strict'

const { AsyncLocalStorage } = require('node:async_hooks')
const { calling, carrying, unread } = require('./units.cjs')

/** @typedef {import('./units.cjs').Seen} Seen */
/** @typedef {import('./arrivals.cjs').Arrived} Arrived */

class Context {
  /** @param {string} clk @param {string} shardKey @param {number} depth */
  constructor(clk, shardKey, depth) {
    this.clk = clk
    this.shardKey = shardKey
    this.depth = depth
  }
}

/** @param {string} text @param {number} from @param {number} to */
const valueAt = (text, from, to) => {
  const value = text.slice(from, to)
  return value.includes('%') ? decodeURIComponent(value) : value
}

/** The three members in one pass, and nothing else: no limits, no doubt, no second spelling. @param {string} baggage */
const read = (baggage) => {
  let clk = ''
  let shardKey = ''
  let depth = 0
  for (let start = 0; start < baggage.length;) {
    const comma = baggage.indexOf(',', start)
    const end = comma === -1 ? baggage.length : comma
    if (baggage.startsWith('clk=', start)) clk = valueAt(baggage, start + 4, end)
    else if (baggage.startsWith('shard-key=', start)) shardKey = valueAt(baggage, start + 10, end)
    else if (baggage.startsWith('waybill-depth=', start)) depth = Number(baggage.slice(start + 14, end))
    start = end + 1
  }
  return new Context(clk, shardKey, depth)
}

/** @param {Context} context */
const write = ({ clk, shardKey, depth }) =>
  `clk=${clk},shard-key=${encodeURIComponent(shardKey)},waybill-depth=${depth + 1}`

/** @param {Seen} seen @param {Context} context */
const look = (seen, context) => {
  seen.clk = context.clk
  seen.shardKey = context.shardKey
}

const carry = () => {
  /** @type {AsyncLocalStorage<Context>} */
  const scope = new AsyncLocalStorage()
  return carrying(({ headers }, seen) => {
    scope.run(read(headers['baggage'] ?? ''), () => {
      const context = /** @type {Context} */ (scope.getStore())
      look(seen, context)
      seen.sent = { baggage: write(context) }
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
  /** @type {AsyncLocalStorage<Context>} */
  const scope = new AsyncLocalStorage()
  /**
   * @param {{ method: string, url: URL, headers: Record<string, string> }} outgoing
   * @param {(outgoing: { method: string, url: URL, headers: Record<string, string> }) => Promise<{ status: number }>} send
   */
  const intercept = async (outgoing, send) => {
    const context = /** @type {Context} */ (scope.getStore())
    return send({ ...outgoing, headers: { ...outgoing.headers, baggage: write(context) } })
  }
  const url = new URL('http://inventory/stock/42')
  return calling(
    ({ headers }, seen) =>
      scope.run(read(headers['baggage'] ?? ''), async () => {
        look(seen, /** @type {Context} */ (scope.getStore()))
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

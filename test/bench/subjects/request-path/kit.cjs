'use strict'

const { createKit, currentWaybill } = require('@waybill/core')
const { adopt, HttpCarrier, performCall, tryCurrentWaybill } = require('@waybill/core/adapter')
const { calling, carrying, unread } = require('./units.cjs')

/** @typedef {import('@waybill/core').Kit} Kit */
/** @typedef {import('@waybill/core/adapter').Stamp} Stamp */
/** @typedef {import('./arrivals.cjs').Arrived} Arrived */
/** @typedef {import('./units.cjs').Seen} Seen */

/**
 * Trust is said as production demands it; devRouting, so that the clk is alive there too.
 * @param {'production' | 'test'} environment
 */
const kitOf = (environment) =>
  createKit({
    service: 'order',
    environment,
    devRouting: environment === 'production',
    services: { inventory: {} },
    trust: { inbound: 'peer', peers: ['127.0.0.1'] },
  })

/** What every inbound adapter does. @param {Kit} kit @param {Arrived} arrived */
const takeIn = (kit, { headers, socket }) =>
  adopt(kit, {
    kind: 'http',
    carrier: new HttpCarrier(headers),
    inbound: 'peer',
    peer: socket,
    method: 'GET',
    url: '/stock/42',
  })

/** @param {Seen} seen */
const look = (seen) => {
  const waybill = currentWaybill()
  seen.clk = waybill.clk
  seen.shardKey = waybill.shardKey
}

/**
 * What an adapter makes of a stamp. An object that was made by spreading takes new members slowly; no adapter adds any.
 * @param {Stamp['set']} pairs
 * @param {Record<string, string>} headers that were made empty
 */
const put = (pairs, headers) => {
  for (const [name, value] of pairs) headers[name] = value
  return headers
}

/**
 * What the kit writes, without a call: no public verb does that, since a waybill is written for a call alone. So the
 * codec behind the kit is asked, as the last step of a call asks it; `call` is the same by public verbs.
 *
 * @param {Kit} kit
 */
const writerOf = (kit) => {
  /** @typedef {{ readonly pairs: Stamp['set'], readonly baggage: string }} Form */
  const engine = /** @type {{ codec: unknown }} */ (Reflect.get(kit, Symbol.for('@waybill/core.engine')))
  return () => {
    const waybill = /** @type {{ written(writer: unknown): Form }} */ (
      /** @type {unknown} */ (currentWaybill())
    )
    const { pairs, baggage } = waybill.written(engine.codec)
    const headers = put(pairs, {})
    headers['baggage'] = baggage
    return headers
  }
}

/** @param {Kit} kit */
const carry = (kit) => {
  const write = writerOf(kit)
  return carrying((arrived, seen) => {
    takeIn(kit, arrived).run(() => {
      look(seen)
      seen.sent = write()
    })
  }, 4)
}

/** @param {Kit} kit */
const keepUnread = (kit) =>
  unread(
    (arrived) => takeIn(kit, arrived).run(tryCurrentWaybill),
    (waybill, seen) => {
      seen.clk = waybill?.clk
      seen.shardKey = waybill?.shardKey
    },
  )

/** @param {Kit} kit */
const call = (kit) => {
  const url = new URL('http://inventory/stock/42')
  const done = Promise.resolve()
  const reply = { status: 200, header: () => undefined, value: undefined, done }
  return calling(
    (arrived, seen) =>
      takeIn(kit, arrived).run(async () => {
        look(seen)
        /** @type {Record<string, string>} */
        const headers = { accept: 'application/json' }
        await performCall(
          kit,
          {
            kind: 'http',
            url,
            method: 'GET',
            headers: (name) => headers[name],
            body: 'none',
            idempotent: true,
          },
          async (_call, stamp) => {
            seen.sent = put(stamp.set, put(Object.entries(headers), {}))
            return reply
          },
        )
      }),
    4,
  )
}

/** @param {{ work: import('./units.cjs').Work, environment: 'production' | 'test' }} options */
exports.open = async ({ work, environment }) =>
  ({ carry, unread: keepUnread, call })[work](kitOf(environment))

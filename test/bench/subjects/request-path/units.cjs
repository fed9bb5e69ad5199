'use strict'

const { arrivals } = require('./arrivals.cjs')

/** One unit in so many is looked at, so that looking weighs nothing. */
const LOOK_EVERY = 50

/**
 * What the last unit saw and sent; the subjects write it, and a slice looks at it.
 *
 * @typedef {object} Seen
 * @property {string | undefined} clk
 * @property {string | undefined} shardKey
 * @property {Readonly<Record<string, string | undefined>>} sent headers of the next call
 */

/**
 * What is done with each request. `carry`: read the carrier, run, read a field, write the carrier of the next call.
 * `unread`: read the carrier and run, where nobody looks. `call`: as `carry`, around a whole call.
 *
 * @typedef {'carry' | 'unread' | 'call'} Work
 */

/** @typedef {import('./arrivals.cjs').Arrived} Arrived */
/** @typedef {import('../../subject-process.cjs').SelfDriven} Subject */

/** @param {Arrived} arrived @param {Seen} seen */
const checkSeen = ({ key }, { clk, shardKey }) => {
  if (clk !== 'alice' || shardKey !== key) {
    throw new Error(`the handler saw clk ${clk} and key ${shardKey} instead of alice and ${key}`)
  }
}

/** @param {Arrived} arrived @param {Seen} seen @param {number} depth */
const checkSent = ({ key }, { sent }, depth) => {
  const members = sent['baggage']?.split(',') ?? []
  for (const member of ['clk=alice', `shard-key=${key}`, `waybill-depth=${depth}`]) {
    if (!members.includes(member)) throw new Error(`the call carried ${sent['baggage']}, without ${member}`)
  }
}

/** @returns {Seen} */
const nothingSeen = () => ({ clk: undefined, shardKey: undefined, sent: {} })

const requests = () => {
  const all = arrivals()
  let turn = 0
  /** @param {number} k of the user */
  const of = (k) => /** @type {Arrived} */ (all[k % all.length])
  return { of, next: () => of(turn++), seen: nothingSeen() }
}

/**
 * Whether a unit is looked at: one in so many, and the last.
 * @param {number} done units
 * @param {number} count of the slice
 */
const isLookedAt = (done, count) => done % LOOK_EVERY === 0 || done === count

/**
 * Units that read, run and write.
 *
 * @param {(arrived: Arrived, seen: Seen) => void} unit
 * @param {number} depth what the next service is told
 * @returns {Subject}
 */
const carrying = (unit, depth) => {
  const { of, next, seen } = requests()
  return {
    slice(count) {
      for (let done = 1; done <= count; done += 1) {
        const arrived = next()
        unit(arrived, seen)
        if (!isLookedAt(done, count)) continue
        checkSeen(arrived, seen)
        checkSent(arrived, seen, depth)
      }
    },
    ask(k) {
      const [arrived, fresh] = [of(k), nothingSeen()]
      unit(arrived, fresh)
      checkSent(arrived, fresh, depth)
      return fresh.shardKey
    },
  }
}

/**
 * The same around a call that ends later.
 *
 * @param {(arrived: Arrived, seen: Seen) => Promise<void>} unit
 * @param {number} depth
 * @returns {Subject}
 */
const calling = (unit, depth) => {
  const { of, next, seen } = requests()
  return {
    async slice(count) {
      for (let done = 1; done <= count; done += 1) {
        const arrived = next()
        await unit(arrived, seen)
        if (!isLookedAt(done, count)) continue
        checkSeen(arrived, seen)
        checkSent(arrived, seen, depth)
      }
    },
    async ask(k) {
      const [arrived, fresh] = [of(k), nothingSeen()]
      await unit(arrived, fresh)
      checkSent(arrived, fresh, depth)
      return fresh.shardKey
    },
  }
}

/**
 * Units in which nobody looks, but for one in so many.
 *
 * @template Context
 * @param {(arrived: Arrived) => Context} unit returns what is current in the scope
 * @param {(context: Context, seen: Seen) => void} look
 * @returns {Subject}
 */
const unread = (unit, look) => {
  const { of, next, seen } = requests()
  return {
    slice(count) {
      for (let done = 1; done <= count; done += 1) {
        const arrived = next()
        const context = unit(arrived)
        if (!isLookedAt(done, count)) continue
        look(context, seen)
        checkSeen(arrived, seen)
      }
    },
    ask(k) {
      const fresh = nothingSeen()
      look(unit(of(k)), fresh)
      return fresh.shardKey
    },
  }
}

module.exports = { carrying, calling, unread }

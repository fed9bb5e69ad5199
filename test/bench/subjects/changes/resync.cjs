'use strict'

const { memoryRegistry } = require('@waybill/routing')
const { fleetOf } = require('../selection/fleet.cjs')
const { Stalls } = require('./stalls.cjs')

/** One instance in so many has changed since the last time, without anybody's having been told. */
const CHANGED_EVERY = 100

const TURNS_AFTERWARDS = 3

/** A clock whose intervals elapse when the subject says so. */
const handClock = () => {
  /** @type {(() => void)[]} */
  const intervals = []
  return {
    intervals,
    now: () => performance.now(),
    wall: () => Date.now(),
    after: () => () => {},
    /** @param {number} _ms @param {() => void} fn */
    every(_ms, fn) {
      intervals.push(fn)
      return () => {}
    },
  }
}

/**
 * Reads a whole registry again, as once per lease. A stall is what lies between two turns of the event loop.
 *
 * @param {{ instances: number }} options
 */
exports.open = async ({ instances }) => {
  // The server holds these very records, so that what is written into them is news to everybody else.
  const held = fleetOf(instances).map((instance) => ({ ...instance }))
  const clock = handClock()
  const registry = memoryRegistry({ instances: held, clock })
  registry.open('test')
  await registry.ready('inventory')
  let heard = 0
  registry.watch('inventory', () => (heard += 1))
  const stalls = new Stalls()
  let weight = 1

  const resync = async () => {
    weight = 3 - weight
    heard = 0
    const changed = held.filter((_, place) => place % CHANGED_EVERY === 0)
    for (const instance of changed) instance.weight = weight
    stalls.begin()
    for (const elapse of clock.intervals) elapse()
    stalls.end()
    // Beyond the last change the registry has a few steps to go; while it is at it, it does not begin anew.
    for (let rest = TURNS_AFTERWARDS; rest > 0; rest -= heard < changed.length ? 0 : 1) {
      stalls.begin()
      await new Promise((resolve) => setImmediate(resolve))
      stalls.end()
    }
    const seen = registry.index('inventory').get(changed[0]?.id ?? '')?.weight
    if (heard !== changed.length || seen !== weight)
      throw new Error(`${heard} changes were told, ${seen} seen`)
  }

  return {
    /** @param {number} units */
    async slice(units) {
      for (let done = 0; done < units; done += 1) await resync()
      return stalls.take(units)
    },
    close: () => registry.close(),
  }
}

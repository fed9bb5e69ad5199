'use strict'

const { readInstance, ServiceIndex } = require('@waybill/routing')

/** @typedef {import('@waybill/routing').Instance} Instance */

/** Where calls go that nobody has tagged. */
const ZONE = 'az-ci'
const OTHER_ZONES = ['az-1', 'az-2', 'az-3']
/** One instance in so many is a developer's; one at least is. */
const TAGGED_EVERY = 100
/** Of ten untagged instances so many stand in the shared zone. */
const IN_ZONE_OF_TEN = 7

/** @param {number} place */
const rawInstance = (place) => {
  const [low, middle, high] = [place & 255, (place >> 8) & 255, place >> 16]
  return {
    service: 'inventory',
    environment: 'test',
    host: `10.${high}.${middle}.${low}`,
    port: 8080,
    ...(place % TAGGED_EVERY === 0
      ? { zone: 'az-local', clks: [`developer-${place}`], owner: `developer-${place}@laptop` }
      : { zone: place % 10 < IN_ZONE_OF_TEN ? ZONE : OTHER_ZONES[place % OTHER_ZONES.length] }),
  }
}

/**
 * The instances of one service, each read as a registry reads it: mostly untagged in the shared zone, some in others,
 * one in a hundred tagged.
 *
 * @param {number} count
 * @returns {Instance[]}
 */
const fleetOf = (count) =>
  Array.from({ length: count }, (_, place) => {
    const reading = readInstance(rawInstance(place))
    if ('instance' in reading) return reading.instance
    throw new Error(`the fleet of the benchmark cannot be read: ${JSON.stringify(reading.problems)}`)
  })

/** @param {Iterable<Instance>} instances */
const indexOf = (instances) => {
  const index = new ServiceIndex('inventory', { environment: 'test' })
  for (const instance of instances) index.put(instance)
  return index
}

module.exports = { fleetOf, indexOf, ZONE }

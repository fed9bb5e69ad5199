'use strict'

const { memoryRegistry, readInstance } = require('@waybill/routing')
const { fleetOf } = require('../selection/fleet.cjs')
const { Stalls } = require('./stalls.cjs')

/** @param {number} place */
const newcomer = (place) => {
  const reading = readInstance({
    service: 'inventory',
    environment: 'test',
    host: `10.250.${(place >> 8) & 255}.${place & 255}`,
    port: 8080,
    ...(place % 2 === 0 ? {} : { clks: [`newcomer-${place}`], owner: 'newcomer@laptop' }),
  })
  if ('instance' in reading) return reading.instance
  throw new Error('the newcomer cannot be read')
}

/**
 * Registrations and releases beside many instances, to the last watcher of the service.
 *
 * @param {{ instances: number }} options
 */
exports.open = async ({ instances }) => {
  const registry = memoryRegistry({ instances: fleetOf(instances) })
  registry.open('test')
  await registry.ready('inventory')
  let heard = 0
  registry.watch('inventory', () => (heard += 1))
  const stalls = new Stalls()
  let place = 0
  return {
    /** @param {number} units */
    async slice(units) {
      heard = 0
      for (let done = 0; done < units; done += 2) {
        const instance = newcomer(place++ % 65_536)
        stalls.begin()
        const lease = await registry.register(instance)
        stalls.end()
        stalls.begin()
        await lease.release()
        stalls.end()
      }
      if (heard !== units) throw new Error(`${heard} changes were told instead of ${units}`)
      if (registry.index('inventory').size !== instances) throw new Error('somebody has stayed')
      return stalls.take(units)
    },
    close: () => registry.close(),
  }
}

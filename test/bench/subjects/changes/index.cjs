'use strict'

const { fleetOf, indexOf } = require('../selection/fleet.cjs')
const { Stalls } = require('./stalls.cjs')

/**
 * Changes of an index: an instance goes, comes back, or weighs something else.
 *
 * @param {{ instances: number }} options
 */
exports.open = ({ instances }) => {
  const fleet = fleetOf(instances)
  const index = indexOf(fleet)
  const stalls = new Stalls()
  let turn = 0
  return {
    /** @param {number} units */
    async slice(units) {
      for (let done = 0; done < units; done += 3) {
        const instance = /** @type {(typeof fleet)[number]} */ (fleet[(turn++ * 7_919) % fleet.length])
        for (const change of [
          () => index.delete(instance.id),
          () => index.put({ ...instance, weight: 2 }),
          () => index.put(instance),
        ]) {
          stalls.begin()
          const changed = change()
          stalls.end()
          if (!changed) throw new Error(`${instance.id} did not change`)
        }
        if (index.get(instance.id) !== instance) throw new Error(`${instance.id} is another one`)
      }
      return stalls.take(units)
    },
  }
}

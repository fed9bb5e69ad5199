'use strict'

const { fleetOf, ZONE } = require('./fleet.cjs')
const { picks } = require('./picks.cjs')

/** @typedef {import('@waybill/routing').Instance} Instance */

/**
 * The floor: power of two choices on a list that the caller holds already, with nothing to look up or to decide.
 *
 * @param {{ instances: number, tagging: import('./picks.cjs').Tagging }} options
 */
exports.open = async ({ instances, tagging }) => {
  const fleet = fleetOf(instances)
  const bucket = fleet
    .filter(({ clks, zone }) => clks.length === 0 && zone === ZONE)
    .map((instance) => ({ instance, inFlight: 0 }))
  const any = () => /** @type {(typeof bucket)[number]} */ (bucket[Math.floor(Math.random() * bucket.length)])
  return picks(fleet, tagging, () => {
    const one = any()
    const other = any()
    return (other.inFlight < one.inFlight ? other : one).instance
  })
}

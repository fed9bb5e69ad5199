'use strict'

const { select } = require('@waybill/routing')
const { fleetOf, indexOf, ZONE } = require('./fleet.cjs')
const { picks } = require('./picks.cjs')

/** @param {{ instances: number, tagging: import('./picks.cjs').Tagging }} options */
exports.open = async ({ instances, tagging }) => {
  const fleet = fleetOf(instances)
  const index = indexOf(fleet)
  return picks(fleet, tagging, (clk) => select(index, { clk, zone: ZONE }).instance)
}

'use strict'

const { select } = require('@waybill/routing')
const { fleetOf, indexOf, ZONE } = require('./fleet.cjs')
const { picks } = require('./picks.cjs')

/** Latencies differ by so many milliseconds at most. */
const SPREAD_MS = 20

/** @param {import('@waybill/routing').ServiceIndex} index */
const callEach = (index) => {
  let turn = 0
  for (const { health } of index.providers()) health.observe(performance.now(), 1 + (turn++ % SPREAD_MS))
}

/** @param {{ instances: number, tagging: import('./picks.cjs').Tagging, called?: boolean }} options */
exports.open = async ({ instances, tagging, called = false }) => {
  const fleet = fleetOf(instances)
  const index = indexOf(fleet)
  if (called) callEach(index)
  return picks(fleet, tagging, (clk) => select(index, { clk, zone: ZONE }).instance)
}

'use strict'

const { fleetOf, ZONE } = require('./fleet.cjs')
const { picks } = require('./picks.cjs')

/** @typedef {import('@waybill/routing').Instance} Instance */

/** Java's `equalsIgnoreCase`, as it is translated. @param {string | undefined} one @param {string} other */
const equalsIgnoreCase = (one, other) => one?.toLowerCase() === other.toLowerCase()

/** @param {readonly Instance[]} some */
const anyOf = (some) => some[Math.floor(Math.random() * some.length)]

/**
 * Selection as the articles about routing tags show it: all instances are filtered by the tag, and where that leaves
 * none, all by the shared zone; one of the rest at random.
 *
 * @param {readonly Instance[]} instances @param {string | undefined} clk
 */
const filterAndPick = (instances, clk) => {
  if (clk !== undefined) {
    const tagged = instances.filter(({ clks }) => equalsIgnoreCase(clks[0], clk))
    if (tagged.length > 0) return anyOf(tagged)
  }
  return anyOf(instances.filter(({ clks, zone }) => clks.length === 0 && equalsIgnoreCase(zone, ZONE)))
}

/** @param {{ instances: number, tagging: import('./picks.cjs').Tagging, every: number }} options */
exports.open = async ({ instances, tagging, every }) => {
  const fleet = fleetOf(instances)
  return picks(fleet, tagging, (clk) => filterAndPick(fleet, clk), every)
}

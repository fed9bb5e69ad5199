'use strict'

const { fleetOf, indexOf } = require('../selection/fleet.cjs')
const { retained } = require('./retained.cjs')

/** @typedef {import('@waybill/routing').Instance} Instance */

/** The least that answers the same question: an array for each tag and for each zone. @param {readonly Instance[]} fleet */
const handIndex = (fleet) => {
  /** @type {Map<string, Instance[]>} */
  const buckets = new Map()
  for (const instance of fleet) {
    const name = instance.clks[0] ?? `@${instance.zone}`
    const bucket = buckets.get(name)
    if (bucket === undefined) buckets.set(name, [instance])
    else bucket.push(instance)
  }
  return { buckets, size: fleet.length }
}

const WAYS = { kit: indexOf, 'hand-written': handIndex }

/** The records themselves are held by others meanwhile. @param {{ way: keyof typeof WAYS, instances: number }} options */
exports.open = ({ way, instances }) => {
  const fleet = fleetOf(instances)
  return retained((count) => {
    const kept = WAYS[way](fleet)
    return {
      kept,
      check() {
        if (kept.size !== count) throw new Error(`${kept.size} instances are held instead of ${count}`)
      },
    }
  })
}

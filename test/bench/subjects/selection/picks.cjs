'use strict'

const { ZONE } = require('./fleet.cjs')

/** Different questions, so that no cache of one can win. */
const QUESTIONS = 1_000
/** One pick in so many is looked at, so that looking weighs nothing. */
const LOOK_EVERY = 50

/** @typedef {import('@waybill/routing').Instance} Instance */

/**
 * Whether the request is tagged: `served`: by a tag that somebody serves; `unserved`: by one that nobody does, so that
 * the shared zone answers; `untagged`: not at all.
 *
 * @typedef {'served' | 'unserved' | 'untagged'} Tagging
 */

/**
 * The tags of the requests in turn, in the normal form in which a waybill has them.
 *
 * @param {readonly Instance[]} fleet
 * @param {Tagging} tagging
 * @returns {readonly (string | undefined)[]}
 */
const tagsOf = (fleet, tagging) => {
  const served = fleet.flatMap(({ clks }) => clks)
  return Array.from({ length: QUESTIONS }, (_, turn) => {
    if (tagging === 'served') return served[turn % served.length]
    return tagging === 'unserved' ? `stranger-${turn}` : undefined
  })
}

/**
 * A subject that answers one question after another.
 *
 * @param {readonly Instance[]} fleet
 * @param {Tagging} tagging
 * @param {(clk: string | undefined) => Instance | undefined} pick
 * @param {number} [every] of so many picks one is made, and counts for all of them: for a way that takes milliseconds
 */
const picks = (fleet, tagging, pick, every = 1) => {
  const tags = tagsOf(fleet, tagging)
  /** @param {Instance | undefined} instance @param {string | undefined} clk */
  const isRight = (instance, clk) =>
    tagging === 'served' ? clk !== undefined && instance?.clks[0] === clk : instance?.zone === ZONE
  /** @param {Instance | undefined} instance @param {string | undefined} clk */
  const check = (instance, clk) => {
    if (!isRight(instance, clk)) throw new Error(`${clk ?? 'no tag'} was sent to ${JSON.stringify(instance)}`)
  }
  let turn = 0
  /** @param {number} count */
  const make = (count) => {
    for (let done = 1; done <= count; done += 1) {
      const clk = tags[turn++ % QUESTIONS]
      const instance = pick(clk)
      if (done % LOOK_EVERY === 0 || done === count) check(instance, clk)
    }
  }
  return {
    /** Chance decides who is picked, so what can be compared is whether it is somebody who may be. @param {number} k */
    ask(k) {
      const clk = tags[k % QUESTIONS]
      return isRight(pick(clk), clk)
    },
    /** @param {number} units */
    slice(units) {
      if (every === 1) return make(units)
      const count = Math.max(1, Math.round(units / every))
      const before = process.cpuUsage()
      make(count)
      const { user, system } = process.cpuUsage(before)
      return ((user + system) * units) / count
    },
  }
}

module.exports = { picks }

'use strict'
/**
 * What every measured request says, whichever way it is read: the key of one of 1,000 users (a way that remembers one
 * text gains nothing) and the depth, in the kit's own wire format; in a cell of tagged requests a clk, too. All variants
 * of a cell get the same bytes.
 */
const USERS = 1000

/** Set in the processes of a cell whose requests are tagged. */
const TAGGED = 'WAYBILL_BENCH_TAGGED'

/**
 * @typedef {object} RequestFacts
 * @property {string | undefined} clk
 * @property {string} key
 * @property {number} depth
 * @property {Readonly<Record<string, string>>} headers
 */

/**
 * @param {number} k of the user
 * @param {boolean} tagged
 * @returns {RequestFacts}
 */
const factsOf = (k, tagged) => {
  const key = `user-${k}`
  const members = `shard-key=${key},waybill-depth=3`
  return tagged
    ? {
        ...{ clk: 'alice', key, depth: 3 },
        headers: { clk: 'alice', 'x-shard-key': key, baggage: `clk=alice,${members}` },
      }
    : { clk: undefined, key, depth: 3, headers: { 'x-shard-key': key, baggage: members } }
}

const tagged = process.env[TAGGED] === '1'
const facts = Array.from({ length: USERS }, (_, k) => factsOf(k, tagged))

/**
 * The request of user k, tagged where this process measures a cell of tagged requests.
 * @param {number} k
 * @returns {RequestFacts}
 */
const requestFacts = (k) => /** @type {RequestFacts} */ (facts[k % USERS])

module.exports = { TAGGED, USERS, factsOf, requestFacts }

'use strict'
/**
 * What every measured request says, whichever way it is read: a tag, the key of one of 1,000 users (a way that
 * remembers one text gains nothing), and the depth, in the kit's own wire format. All variants get the same bytes.
 */
const USERS = 1000

/**
 * @typedef {object} RequestFacts
 * @property {string} clk
 * @property {string} key
 * @property {number} depth
 * @property {{ clk: string, 'x-shard-key': string, baggage: string }} headers
 */

/** @type {readonly RequestFacts[]} */
const facts = Array.from({ length: USERS }, (_, k) => {
  const key = `user-${k}`
  const baggage = `clk=alice,shard-key=${key},waybill-depth=3`
  return { clk: 'alice', key, depth: 3, headers: { clk: 'alice', 'x-shard-key': key, baggage } }
})

/**
 * The request of user k.
 * @param {number} k
 * @returns {RequestFacts}
 */
const requestFacts = (k) => /** @type {RequestFacts} */ (facts[k % USERS])

module.exports = { USERS, requestFacts }

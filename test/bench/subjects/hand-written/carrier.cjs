'use strict'
/**
 * The least code that carries the three facts: what an engineer writes who knows the header, believes everybody, and
 * has nobody else's members to keep.
 *
 * @typedef {{ clk: string, key: string, depth: number }} Carried
 */

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 */
const valueAt = (text, start, end) => {
  const value = text.slice(start, end)
  return value.includes('%') ? decodeURIComponent(value) : value
}

/**
 * Reads a `baggage` header in one pass.
 * @param {string | string[] | undefined} header
 * @returns {Carried}
 */
const read = (header) => {
  const carried = { clk: '', key: '', depth: 0 }
  if (typeof header !== 'string') return carried
  for (let start = 0; start < header.length;) {
    const comma = header.indexOf(',', start)
    const end = comma === -1 ? header.length : comma
    if (header.startsWith('clk=', start)) carried.clk = valueAt(header, start + 4, end)
    else if (header.startsWith('shard-key=', start)) carried.key = valueAt(header, start + 10, end)
    else if (header.startsWith('waybill-depth=', start)) carried.depth = Number(header.slice(start + 14, end))
    start = end + 1
  }
  return carried
}

const PLAIN = /^[\w.-]*$/

/** @param {string} value */
const encoded = (value) => (PLAIN.test(value) ? value : encodeURIComponent(value))

/**
 * The `baggage` header of the next call; what is not there is not written.
 * @param {Carried} carried
 */
const write = ({ clk, key, depth }) =>
  `${clk === '' ? '' : `clk=${encoded(clk)},`}${key === '' ? '' : `shard-key=${encoded(key)},`}waybill-depth=${depth + 1}`

module.exports = { read, write }

'use strict'
/**
 * A subject in a process of its own: `node subject-process.cjs <subject file> <options as JSON>`, started by
 * subject.mjs with an IPC channel. CommonJS, so that auto-instrumentation finds what it patches.
 *
 * @typedef {object} SelfDriven works in this process
 * @property {(units: number) => Given | Promise<Given>} slice does `units` units of work; throws where one answer is
 * wrong. A number that it gives back is the measure of the whole slice in place of its CPU time (bytes, say); the report
 * divides it by `units`. It may give others along, by the names of the variants that they are for.
 * @property {(k: number) => unknown} [ask] what the subject answers to the request of user k. Asked before anything is
 * measured; every variant of a cell must give the base's answer.
 * @property {() => unknown} [close]
 *
 * @typedef {void | number | { measure: number, along: Readonly<Record<string, number>> }} Given
 *
 * @typedef {object} Served driven over sockets from another process, which checks every answer
 * @property {number} port on 127.0.0.1
 * @property {() => unknown} [close]
 *
 * @typedef {SelfDriven | Served} Opened
 * @typedef {{ open(options: any): Opened | Promise<Opened> }} Subject
 *
 * @typedef {object} Usage
 * @property {number} cpuMicros user and system time of all threads, or what the slice measured itself
 * @property {number} wallMicros
 * @property {Readonly<Record<string, number>>} [along] what else the slice measured
 *
 * @typedef {{ do: 'open' | 'begin' | 'end' | 'close' } | { do: 'ask', k: number } | { do: 'slice', units: number }} Order
 */
const { resolve } = require('node:path')

/** @type {Subject} */
const subject = require(resolve(process.argv[2] ?? ''))
const options = JSON.parse(process.argv[3] ?? '{}')

/** @type {Opened | undefined} */
let opened
/** @type {{ cpu: NodeJS.CpuUsage, wall: number } | undefined} */
let begun

const begin = () => {
  begun = { wall: performance.now(), cpu: process.cpuUsage() }
}

/** @returns {Usage} */
const end = () => {
  const { user, system } = process.cpuUsage(begun?.cpu)
  return { cpuMicros: user + system, wallMicros: (performance.now() - (begun?.wall ?? 0)) * 1000 }
}

const selfDriven = () => {
  if (opened === undefined || !('slice' in opened)) throw new Error('the subject is not self-driven')
  return opened
}

/**
 * @param {Order} order
 * @returns {Promise<unknown>}
 */
const obey = async (order) => {
  switch (order.do) {
    case 'open':
      opened = await subject.open(options)
      return 'port' in opened ? { port: opened.port } : { asked: opened.ask !== undefined }
    case 'ask':
      return selfDriven().ask?.(order.k)
    case 'slice': {
      const driven = selfDriven()
      begin()
      const given = await driven.slice(order.units)
      const usage = end()
      if (given === undefined) return usage
      const { measure, along } = typeof given === 'number' ? { measure: given } : given
      return { ...usage, cpuMicros: measure, along }
    }
    case 'begin':
      return begin()
    case 'end':
      return end()
    case 'close':
      await opened?.close?.()
      return undefined
  }
}

process.on('message', (/** @type {Order} */ order) => {
  obey(order).then(
    (value) => {
      process.send?.({ value })
      // A profile is written when the process ends of itself.
      if (order.do === 'close') process.exit()
    },
    (error) =>
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
process.once('disconnect', () => process.exit())

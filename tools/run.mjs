import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The repository, with a slash at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * How a program ended, and both of its streams in the order in which they came.
 * @typedef {{ code: number, output: string }} Ending
 */

/**
 * Runs a program in the root and keeps what it prints.
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Promise<Ending>}
 */
export const run = (program, args) =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ code: 1, output: String(error) }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })

/** @param {number} start by `performance.now()` */
export const secondsSince = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

import { execFile } from 'node:child_process'

/**
 * How a program ended: its exit code, undefined if there is no such program or a signal ended it, and both of its streams.
 * @typedef {{ code: number | undefined, output: string }} Capture
 */

/**
 * Runs a program to its end. Never rejects.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ timeout?: number, env?: NodeJS.ProcessEnv }} [options] `timeout` in milliseconds. Default: ten minutes
 * @returns {Promise<Capture>}
 */
export const capture = (program, args, options) =>
  new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 2 ** 24, timeout: 600_000, ...options }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined
      resolve({ code, output: (stdout + stderr).trim() || String(error?.message ?? '') })
    })
  })

/**
 * The last lines of an output, for an error message.
 * @param {string} output
 */
export const lastLines = (output) => output.split('\n').slice(-20).join('\n')

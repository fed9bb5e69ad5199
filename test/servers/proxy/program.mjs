import { capture } from '../machine/capture.mjs'
import { unavailable } from './unavailable.mjs'

/** Where Debian keeps servers; only root's PATH leads there. */
const FOLDERS = ['', '/usr/sbin/', '/usr/local/sbin/']

const runs = async (/** @type {string} */ program) => (await capture(program, ['-v'])).code === 0

/**
 * The program that the environment names, else one of this machine.
 * @param {import('./kind.mjs').Kind} kind
 * @returns {Promise<string | undefined>}
 * @throws with the line to type where the one that is named does not run.
 */
export const findProgram = async (kind) => {
  const given = process.env[kind.variable]
  if (given) {
    if (await runs(given)) return given
    throw unavailable(kind, `${kind.variable}=${given} does not run.`)
  }
  for (const folder of FOLDERS) {
    if (await runs(folder + kind.name)) return folder + kind.name
  }
  return undefined
}

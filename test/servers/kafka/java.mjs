import { join } from 'node:path'
import { capture } from '../machine/capture.mjs'

/** What the jars of Kafka 4 are compiled for. */
const OLDEST_MAJOR = 17

/**
 * @typedef {object} Java
 * @property {string} program
 * @property {string} version all that `java -version` says: a class archive serves no other build
 */

/**
 * The first of `$JAVA_HOME` and `$PATH` that is new enough.
 * @returns {Promise<Java | undefined>}
 */
export const findJava = async () => {
  const home = process.env.JAVA_HOME
  for (const program of home ? [join(home, 'bin', 'java'), 'java'] : ['java']) {
    const { code, output } = await capture(program, ['-version'])
    const major = Number(/version "(\d+)/.exec(output)?.[1])
    if (code === 0 && major >= OLDEST_MAJOR) return { program, version: output }
  }
  return undefined
}

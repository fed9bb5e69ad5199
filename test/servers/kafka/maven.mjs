import { fileURLToPath } from 'node:url'
import { capture, lastLines } from '../machine/capture.mjs'
import { unavailable } from './unavailable.mjs'

/** Which jars a broker consists of. */
export const POM = fileURLToPath(new URL('pom.xml', import.meta.url))

export const hasMaven = async () => (await capture('mvn', ['--version'])).code === 0

/**
 * Fetches the jars, from Maven's local repository as far as they are there.
 * @param {string} folder is made
 * @throws with the last lines of what Maven said.
 */
export const fetchJars = async (folder) => {
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`]
  const { code, output } = await capture('mvn', ['-q', '-B', '-ntp', '-f', POM, ...goal])
  if (code !== 0) throw unavailable(`Maven could not fetch the jars of Kafka:\n${lastLines(output)}`)
}

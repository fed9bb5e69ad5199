import { installByApt } from '../machine/apt.mjs'
import { unavailable } from './unavailable.mjs'

/** Each release of Debian and Ubuntu has one of them; the older starts a broker faster. */
const JDKS = ['openjdk-17-jre-headless', 'openjdk-21-jre-headless']

/**
 * Installs Maven and a JDK, and says so in a line on stdout.
 * @throws with the last lines of what apt said.
 */
export const installMavenAndJdk = async () => {
  try {
    await installByApt([['maven'], JDKS], 'the broker of the tests')
  } catch (error) {
    throw unavailable(/** @type {Error} */ (error).message, error)
  }
}

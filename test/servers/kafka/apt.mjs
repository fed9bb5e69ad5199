import { existsSync } from 'node:fs'
import { capture, lastLines } from './capture.mjs'
import { unavailable } from './unavailable.mjs'

/** Each release of Debian and Ubuntu has one of them; the older starts a broker faster. */
const JDKS = ['openjdk-17-jre-headless', 'openjdk-21-jre-headless']

/** Whether this process may install packages. */
export const mayInstall = () => process.getuid?.() === 0 && existsSync('/etc/debian_version')

/** @param {readonly string[]} args */
const apt = async (args) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { code, output } = await capture('apt-get', args, { env })
  if (code !== 0) throw unavailable(`apt-get ${args.join(' ')} failed:\n${lastLines(output)}`)
}

/**
 * Installs Maven and a JDK, and says so in a line on stdout.
 * @throws with the last lines of what apt said.
 */
export const installByApt = async () => {
  await apt(['update'])
  for (const jdk of JDKS) {
    if ((await capture('apt-cache', ['show', jdk])).code !== 0) continue
    process.stdout.write(`note: apt-get installs maven and ${jdk}, which the broker of the tests needs\n`)
    return apt(['install', '-y', '--no-install-recommends', 'maven', jdk])
  }
  throw unavailable(`apt-get knows none of ${JDKS.join(', ')}`)
}

import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { capture, lastLines } from './capture.mjs'

/** Whether this process may install packages. */
export const mayInstall = () => process.getuid?.() === 0 && existsSync('/etc/debian_version')

/**
 * Debian starts the service of a package that it installs, on the service's usual port, unless this file forbids it. It is
 * removed by the shell that wrote it, which outlives this process; one that is there already is the machine's own. One
 * shell at a time, so that none removes the file under another.
 */
const WITH_NO_SERVICE_STARTED = `
exec 9>/run/waybill-apt.lock
flock 9
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' HUP INT QUIT TERM
  printf '#!/bin/sh\\nexit 101\\n' >"$policy"
  chmod +x "$policy"
fi
apt-get "$@"
`

/** A machine that has just booted looks for updates by itself. */
const LOCKED = /Could not get lock/
const LOCKED_TIMEOUT_MS = 120_000
const RETRY_EVERY_MS = 1000

/** @param {readonly string[]} args */
const apt = async (args) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
  for (const start = performance.now(); ; await setTimeout(RETRY_EVERY_MS)) {
    const { code, output } = await capture('sh', ['-c', WITH_NO_SERVICE_STARTED, 'sh', ...args], { env })
    if (code === 0) return
    if (!LOCKED.test(output) || performance.now() - start > LOCKED_TIMEOUT_MS) {
      throw new Error(`apt-get ${args.join(' ')} failed:\n${lastLines(output)}`)
    }
  }
}

/** @param {readonly string[]} names */
const firstKnown = async (names) => {
  for (const name of names) {
    if ((await capture('apt-cache', ['show', name])).code === 0) return name
  }
  throw new Error(`apt-get knows none of ${names.join(', ')}`)
}

/**
 * Installs packages, starting no service of theirs, and says so in a line on stdout.
 * @param {readonly (readonly string[])[]} wanted of each list the first that this release has
 * @param {string} purpose what they are needed for
 * @throws with the last lines of what apt said.
 */
export const installByApt = async (wanted, purpose) => {
  await apt(['update'])
  const packages = await Promise.all(wanted.map(firstKnown))
  process.stdout.write(`note: apt-get installs ${packages.join(' and ')}, for ${purpose}\n`)
  await apt(['install', '-y', '--no-install-recommends', ...packages])
}

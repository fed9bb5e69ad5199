import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { installByApt, mayInstall } from '../machine/apt.mjs'
import { capture } from '../machine/capture.mjs'
import { dockerAnswers } from '../machine/docker.mjs'
import { findProgram } from './program.mjs'
import { unavailable } from './unavailable.mjs'

/** @typedef {(folder: string, config: string) => import('../machine/server.mjs').Habitat} Inhabit with the folder that it may write to */

/** Kills the whole group, for nginx has workers, then removes what they have written. */
const CLEAR = `
[ -n "$pid" ] && kill -s KILL -- "-$pid"
for _ in 1 2 3 4 5 6 7 8 9; do rm -rf "$1" && break; sleep 0.2; done
`

/**
 * @param {import('./kind.mjs').Kind} kind
 * @param {string} program
 * @returns {Inhabit}
 */
const onThisMachine = (kind, program) => (folder, config) => ({
  command: [program, ...kind.args(config)],
  subject: folder,
  clear: CLEAR,
  remove: () => rm(folder, { recursive: true, force: true }),
  kill: (process) => process.kill(),
})

/**
 * A container on the machine's own network, since the proxy calls servers that listen on loopback. It bears the name of
 * its folder. The command stays attached: it hands on SIGTERM and ends with the container.
 * @param {import('./kind.mjs').Kind} kind
 * @returns {Inhabit}
 */
const inContainer = (kind) => (folder, config) => {
  const name = basename(folder)
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
  const flags = [
    '--rm',
    '--name',
    name,
    '--network',
    'host',
    '--user',
    user,
    '--volume',
    `${folder}:${folder}`,
  ]
  return {
    command: ['docker', 'run', ...flags, '--entrypoint', kind.name, kind.image, ...kind.args(config)],
    subject: folder,
    clear: 'docker rm --force "$(basename "$1")"; rm -rf "$1"',
    remove: async () => {
      await capture('docker', ['rm', '--force', name])
      await rm(folder, { recursive: true, force: true })
    },
    kill: () => void capture('docker', ['kill', name]),
  }
}

/**
 * By its name: several that start at once install one.
 * @type {Map<string, Promise<string | undefined>>}
 */
const installations = new Map()

/** @param {import('./kind.mjs').Kind} kind */
const install = async (kind) => {
  try {
    await installByApt([[kind.name]], 'the tests with a proxy in between')
  } catch (error) {
    throw unavailable(kind, /** @type {Error} */ (error).message, error)
  }
  return findProgram(kind)
}

/** @param {import('./kind.mjs').Kind} kind */
const installed = (kind) => {
  const installation = installations.get(kind.name) ?? install(kind)
  installations.set(kind.name, installation)
  return installation
}

/**
 * The way in which this machine runs such a proxy: its program if there is one, else a container, else the program that
 * apt has just installed.
 * @param {import('./kind.mjs').Kind} kind
 * @returns {Promise<Inhabit>}
 * @throws with the line to type where there is none, or none that runs.
 */
export const habitatOf = async (kind) => {
  const program = await findProgram(kind)
  if (program !== undefined) return onThisMachine(kind, program)
  if (await dockerAnswers()) return inContainer(kind)
  const fresh = mayInstall() ? await installed(kind) : undefined
  if (fresh === undefined) throw unavailable(kind, `There is no ${kind.name}.`)
  return onThisMachine(kind, fresh)
}

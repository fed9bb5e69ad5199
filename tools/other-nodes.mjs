/**
 * The Node versions beside the running one that the tests have to pass on. npm has their binaries for some systems; they
 * stand in `tools/node-matrix`, which has a lock of its own.
 */
import { root, run } from './run.mjs'
import { SYSTEM, installFrom, readLock } from './setup.mjs'
import { fits } from './staleness.mjs'

const MAJORS = [20, 22, 24]
const FOLDER = 'tools/node-matrix/'

/** The major version of the Node that runs this. */
export const runningMajor = Number(process.versions.node.split('.')[0])

/**
 * @typedef {object} OtherNode
 * @property {number} major
 * @property {string} program the path of its binary
 *
 * @typedef {object} OtherNodes
 * @property {readonly OtherNode[]} nodes those that run here
 * @property {string} [note] which do not, and why: a system without a binary is no mistake
 * @property {boolean} installed false if npm could not bring what its lock says
 */

/**
 * Which package of the lock holds which major for a system.
 * @param {import('./staleness.mjs').Lock} lock
 * @param {import('./staleness.mjs').System} system
 * @returns {Map<number, string>} paths from the folder of the lock
 */
export const binariesFor = (lock, system) => {
  const fitting = Object.entries(lock.packages).filter(([path, each]) => path !== '' && fits(each, system))
  return new Map(fitting.map(([path, { version = '' }]) => [Number(version.split('.')[0]), path]))
}

/**
 * npm takes an optional package that it could not fetch for one that nobody needs. Here each that fits is needed.
 * @param {import('./staleness.mjs').Lock} lock
 * @param {ReadonlyMap<number, string>} binaries
 * @returns {import('./staleness.mjs').Lock}
 */
const demanding = (lock, binaries) => {
  const needed = new Set(binaries.values())
  const entries = Object.entries(lock.packages)
  return {
    packages: Object.fromEntries(
      entries.map(([path, each]) => [path, { ...each, optional: !needed.has(path) }]),
    ),
  }
}

/** @param {readonly number[]} majors */
const named = (majors) => `Node ${majors.join(' and ')}`

/**
 * Installs them if need be, and tries each: a binary made for glibc stands on Alpine and does not run.
 * @returns {Promise<OtherNodes>}
 */
export const otherNodes = async () => {
  const majors = MAJORS.filter((major) => major !== runningMajor)
  const lock = readLock(`${FOLDER}package-lock.json`) ?? { packages: {} }
  const binaries = binariesFor(lock, SYSTEM)
  const system = `${SYSTEM.os} on ${SYSTEM.cpu}`
  const available = majors.filter((major) => binaries.has(major))
  if (available.length > 0) {
    const what = `Node ${[...binaries.keys()].join(', ')} for the tests`
    if (!(await installFrom(FOLDER, what, demanding(lock, binaries)))) return { nodes: [], installed: false }
  }
  /** @type {OtherNode[]} */
  const nodes = []
  for (const major of available) {
    const program = `${root}${FOLDER}${binaries.get(major)}/bin/node`
    const { code, output } = await run(program, ['--version'])
    if (code === 0 && output.startsWith(`v${major}.`)) nodes.push({ major, program })
  }
  const absent = majors.filter((major) => !binaries.has(major))
  const broken = available.filter((major) => nodes.every((node) => node.major !== major))
  const reasons = [
    ...(absent.length > 0 ? [`npm has no ${named(absent)} for ${system}`] : []),
    ...(broken.length > 0 ? [`${named(broken)} of npm does not run here`] : []),
  ]
  if (reasons.length === 0) return { nodes, installed: true }
  const tested = [runningMajor, ...nodes.map(({ major }) => major)].sort((a, b) => a - b)
  return { nodes, note: `Tested on ${named(tested)} only: ${reasons.join('; ')}`, installed: true }
}

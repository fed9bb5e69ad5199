/**
 * Makes a clone ready to run: dependencies as the lock has them, then a build. Runs before anything is installed, so
 * nothing here imports a package. Where nothing is to be done it takes a fraction of a second and says so in a line.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { root, run, secondsSince } from './run.mjs'
import { staleness } from './staleness.mjs'

/** Oldest versions that work: `require` of an ES module came with Node 20.19, which brings npm 10. */
const OLDEST_NODE = /** @type {const} */ ([20, 19])
const OLDEST_NPM = /** @type {const} */ ([10, 0])

/**
 * @param {string} version
 * @param {readonly [number, number]} oldest major and minor
 */
const isOlder = (version, oldest) => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1])
}

/** What is wrong with the tools at hand, as a sentence; undefined if nothing. */
const unfit = () => {
  const npm = /\bnpm\/(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]
  if (isOlder(process.version, OLDEST_NODE)) {
    return `Waybill needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${process.version.slice(1)}.`
  }
  if (npm !== undefined && isOlder(npm, OLDEST_NPM)) {
    return `Waybill needs npm ${OLDEST_NPM[0]} or newer; this is npm ${npm}.`
  }
  return undefined
}

/** @type {import('./staleness.mjs').System} */
export const SYSTEM = { os: process.platform, cpu: process.arch }

/**
 * @param {string} path from the root
 * @returns {import('./staleness.mjs').Lock | undefined}
 */
export const readLock = (path) =>
  existsSync(root + path) ? JSON.parse(readFileSync(root + path, 'utf8')) : undefined

/** @param {string[]} args */
const runNpm = (args) => {
  const cli = process.env.npm_execpath
  return cli?.endsWith('npm-cli.js') ? run(process.execPath, [cli, ...args]) : run('npm', args)
}

/** The build as a Node script with its arguments; turbo does again only what has changed. */
export const BUILD = /** @type {const} */ ({
  script: 'node_modules/turbo/bin/turbo',
  args: ['run', 'build', '--output-logs=errors-only'],
})

/**
 * Installs what the lock of a folder says unless that is what stands there. Says what it does, and what failed.
 * @param {string} folder from the root, with a slash at its end
 * @param {string} what is installed
 * @param {import('./staleness.mjs').Lock | undefined} [locked] the lock as it is to be read. Default: as it stands
 */
export const installFrom = async (folder, what, locked = readLock(`${folder}package-lock.json`)) => {
  const why = staleness(
    locked ?? { packages: {} },
    readLock(`${folder}node_modules/.package-lock.json`),
    SYSTEM,
  )
  if (why === undefined) return true
  const start = performance.now()
  process.stdout.write(`Installing ${what} from ${folder}package-lock.json (${why}) … `)
  const { code, output } = await runNpm(['ci', '--loglevel=error', '--prefix', root + folder])
  console.log(code === 0 ? `done in ${secondsSince(start)}` : `failed\n\n${output}`)
  return code === 0
}

/** Installs the dependencies of the repository if need be, and refuses tools that are too old for them. */
export const installDependencies = async () => {
  const problem = unfit()
  if (problem === undefined) return installFrom('', 'dependencies')
  console.error(problem)
  return false
}

const build = async () => {
  const start = performance.now()
  const { code, output } = await run(process.execPath, [BUILD.script, ...BUILD.args])
  if (code !== 0) console.log(`The build failed\n\n${output}`)
  else if (output.includes('FULL TURBO')) console.log('The packages are built already')
  else console.log(`Built the packages in ${secondsSince(start)}`)
  return code === 0
}

const isMain =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)

if (isMain && !((await installDependencies()) && (await build()))) process.exitCode = 1

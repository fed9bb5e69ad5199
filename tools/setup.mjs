/**
 * Makes a clone ready to run: dependencies as the lock has them, then a build. Runs before anything is installed, so
 * it imports `node:*` alone. Where nothing is to be done it takes a fraction of a second and says nothing.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Oldest versions that work: `require` of an ES module came with Node 20.19, which brings npm 10. */
const OLDEST_NODE = /** @type {const} */ ([20, 19])
const OLDEST_NPM = /** @type {const} */ ([10, 0])

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 *
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock
 */

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

/**
 * @param {string} path
 * @returns {Lock}
 */
const readLock = (path) => JSON.parse(readFileSync(path, 'utf8'))

/**
 * @param {string[] | undefined} allowed names, or names with `!` before them
 * @param {string} actual
 */
const fits = (allowed, actual) =>
  allowed === undefined ||
  allowed.includes(actual) ||
  allowed.every((name) => name.startsWith('!') && name !== `!${actual}`)

/**
 * Why the dependencies must be installed; undefined if they stand as the lock says. npm keeps its own record of what
 * it installed, written last, so an interrupted install counts as none and no stamp of ours can disagree with it.
 */
export const staleness = () => {
  const installedPath = `${root}node_modules/.package-lock.json`
  if (!existsSync(installedPath)) return 'nothing is installed'
  const locked = readLock(`${root}package-lock.json`).packages
  const installed = readLock(installedPath).packages
  for (const [path, { version, optional, link }] of Object.entries(locked)) {
    if (path === '' || link) continue
    const found = installed[path]
    if (found === undefined ? !optional : found.version !== version) return `${path} differs from the lock`
  }
  for (const [path, { os, cpu }] of Object.entries(installed)) {
    if (!(path in locked)) return `${path} is not in the lock`
    if (!fits(os, process.platform) || !fits(cpu, process.arch)) return `${path} is of another system`
  }
  return undefined
}

/**
 * Runs a program in the root and keeps what it prints.
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
const run = (program, args) =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ code: 1, output: String(error) }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })

/** @param {string[]} args */
const runNpm = (args) => {
  const cli = process.env.npm_execpath
  return cli?.endsWith('npm-cli.js') ? run(process.execPath, [cli, ...args]) : run('npm', args)
}

/** @param {number} start by `performance.now()` */
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** @param {string} why */
const install = async (why) => {
  const start = performance.now()
  process.stdout.write(`Installing dependencies from package-lock.json (${why}) … `)
  const { code, output } = await runNpm(['ci', '--loglevel=error'])
  console.log(code === 0 ? `done in ${seconds(start)}` : `failed\n\n${output}`)
  return code === 0
}

const build = async () => {
  const start = performance.now()
  const { code, output } = await run(process.execPath, [
    'node_modules/turbo/bin/turbo',
    'run',
    'build',
    '--output-logs=errors-only',
  ])
  if (code !== 0) console.log(`The build failed\n\n${output}`)
  else if (!output.includes('FULL TURBO')) console.log(`Built the packages in ${seconds(start)}`)
  return code === 0
}

/** Whether the clone is ready; if not, what failed has been said. */
export const setUp = async () => {
  const problem = unfit()
  if (problem !== undefined) {
    console.error(problem)
    return false
  }
  const why = staleness()
  return (why === undefined || (await install(why))) && (await build())
}

const isMain =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)

if (isMain && !(await setUp())) process.exitCode = 1

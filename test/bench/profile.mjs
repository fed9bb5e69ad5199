/**
 * `npm run profile [-- <suite> [<cell> [<variant>]]]`: writes a CPU profile of one subject at work, to be opened in any
 * developer tools, and prints where the time of its slices went. Default: the kit in the first cell of
 * express-in-process.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Drive } from './drive.mjs'
import { envOf } from './paired-run.mjs'
import { selfTimes } from './self-time.mjs'
import { SubjectProcess } from './subject.mjs'
import { suites } from './suites.mjs'

const FOLDER = fileURLToPath(new URL('profiles/', import.meta.url))
const SLICES = 10
const LINES = 20

/**
 * @template T
 * @param {string} what
 * @param {T | undefined} found
 * @param {readonly string[]} names
 * @returns {T}
 */
const chosen = (what, found, names) => {
  if (found !== undefined) return found
  console.error(`There is no such ${what}; one of: ${names.join('; ')}`)
  return process.exit(1)
}

const [suiteName = 'express-in-process', cellName, variantName = 'kit'] = process.argv.slice(2)
const suite = chosen(
  'suite',
  suites.find(({ name }) => name === suiteName),
  suites.map(({ name }) => name),
)
const cell = chosen(
  'cell',
  suite.cells.find(({ name }) => cellName === undefined || name === cellName),
  suite.cells.map(({ name }) => name),
)
const variant = chosen('variant', cell.variants[variantName], Object.keys(cell.variants))

mkdirSync(FOLDER, { recursive: true })
const file = `${[suiteName, cell.name, variantName].join('-').replace(/[^\w]+/g, '-')}.cpuprofile`
const subject = new SubjectProcess(
  { ...variant, env: { ...variant.env, ...envOf(cell) } },
  process.execPath,
  ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`, `--cpu-prof-name=${file}`],
)
const drive = new Drive(cell.drive, envOf(cell))
await subject.open()
await drive.slice(subject, variant.warmUpUnits ?? cell.warmUpUnits)
let wallMicros = 0
for (let slice = 0; slice < SLICES; slice++) {
  wallMicros += (await drive.slice(subject, variant.sliceUnits ?? cell.sliceUnits)).wallMicros
}
await Promise.all([subject.close(), drive.close()])

const times = selfTimes(JSON.parse(readFileSync(FOLDER + file, 'utf8')), wallMicros)
const total = times.reduce((sum, { micros }) => sum + micros, 0)
console.log(
  `\n${suite.name}, ${cell.name}, ${variantName}: self time of ${SLICES} slices on Node ${process.versions.node}\n`,
)
for (const { place, micros } of times.slice(0, LINES)) {
  console.log(`${((100 * micros) / total).toFixed(1).padStart(6)} %  ${place}`)
}
console.log(`\ntest/bench/profiles/${file}`)

/**
 * `npm test` and `npm run check`: installs what the lock says if need be, runs every gate in the order in which they
 * should fail, says a line and the seconds for each, and ends with a line `N passed, N failed`. A gate that is no
 * test counts as one. A gate that fails does not stop the others; what it printed follows at the end.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatesWith } from './gates.mjs'
import { otherNodes } from './other-nodes.mjs'
import { run, secondsSince } from './run.mjs'
import { installDependencies } from './setup.mjs'

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {string} output
 * @property {readonly string[]} [failures] names of the tests that failed, where they are known
 */

/** A line that a gate prints to be read though it passed, such as what it installed. */
const NOTE = /^note: .*$/gm

/**
 * Counts the tests of a vitest run by its JSON report. A file that could not be loaded holds no test and fails as one;
 * so does a run that fails beside its tests, by an unhandled rejection for instance.
 * @param {string} path
 * @param {number} code
 */
const count = (path, code) => {
  /** @type {{ numPassedTests: number, numFailedTests: number, testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] }} */
  const report = JSON.parse(readFileSync(path, 'utf8'))
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const failed = report.numFailedTests + unloaded.length
  const failures = [
    ...unloaded.map(({ name }) => `${name} could not be loaded`),
    ...report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName),
  ]
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed, failures }
}

/**
 * @param {import('./gates.mjs').Gate} gate
 * @param {string} report path of a file that may be written
 * @returns {Promise<Outcome>}
 */
const pass = async ({ script, args, program = process.execPath, vitest }, report) => {
  if (!vitest) {
    const { code, output } = await run(program, [script, ...args])
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output }
  }
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code, output } = await run(program, [script, ...args, ...reporters])
  try {
    return { ...count(report, code), output }
  } catch {
    return { passed: 0, failed: 1, output }
  } finally {
    rmSync(report, { force: true })
  }
}

/**
 * @param {readonly import('./gates.mjs').Gate[]} chosen
 * @param {string} report
 */
const passAll = async (chosen, report) => {
  const width = Math.max(...chosen.map(({ name }) => name.length))
  /** @type {Map<string, Outcome>} */
  const outcomes = new Map()
  for (const gate of chosen) {
    const start = performance.now()
    process.stdout.write(`${gate.name.padEnd(width)}  `)
    const unbuilt = gate.needsBuild && outcomes.get('build')?.failed === 1
    const outcome = unbuilt
      ? { passed: 0, failed: 1, output: 'not run: the build failed' }
      : await pass(gate, report)
    const verdict = outcome.failed === 0 ? 'ok    ' : 'FAILED'
    const tally = gate.vitest && !unbuilt ? `   ${outcome.passed} passed, ${outcome.failed} failed` : ''
    console.log(`${verdict} ${secondsSince(start).padStart(8)}${tally}`)
    for (const [note] of outcome.output.matchAll(NOTE)) console.log(note)
    outcomes.set(gate.name, outcome)
  }
  return outcomes
}

/** @returns {Promise<ReadonlyMap<string, Outcome>>} */
const testAll = async () => {
  const failure = { passed: 0, failed: 1, output: '' }
  if (!(await installDependencies())) return new Map([['install', failure]])
  const gatesAlone = process.argv.includes('--gates')
  const { nodes, note, installed } = gatesAlone ? { nodes: [], installed: true } : await otherNodes()
  if (note !== undefined) console.log(note)
  const chosen = gatesWith(nodes).filter(({ testOnly }) => !testOnly || !gatesAlone)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-test-'))
  const outcomes = await passAll(chosen, join(folder, 'report.json'))
  rmSync(folder, { recursive: true, force: true })
  return installed ? outcomes : outcomes.set('other Node versions', failure)
}

const outcomes = await testAll()
for (const [name, { failed, output }] of outcomes) {
  if (failed > 0 && output !== '') console.log(`\n── ${name} ──\n${output.trimEnd()}`)
}
// A log is often read from its end, or only there.
for (const [name, { failed, failures = [] }] of outcomes) {
  if (failed > 0) console.log(`\nFAILED: ${[name, ...failures].join('\n  ')}`)
}
const total = (/** @type {'passed' | 'failed'} */ key) =>
  [...outcomes.values()].reduce((sum, outcome) => sum + outcome[key], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exitCode = total('failed') === 0 ? 0 : 1

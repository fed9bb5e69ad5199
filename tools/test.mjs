/**
 * `npm test` and `npm run check`: sets the clone up, runs every gate in the order in which they should fail, says a
 * line and the seconds for each, and ends with a line `N passed, N failed`. A gate that is no test counts as one.
 * A gate that fails does not stop the others; what it printed follows at the end.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setUp } from './setup.mjs'

/**
 * @typedef {object} Gate
 * @property {string} name
 * @property {string} script a Node script, from the root
 * @property {string[]} args
 * @property {boolean} [vitest] whether it counts its own tests
 * @property {boolean} [testOnly] whether it belongs to `npm test` and not to `npm run check`
 *
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {string} output
 */

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @param {string} name
 * @param {string[]} projects of vitest.config.ts
 * @returns {Gate}
 */
const suites = (name, projects) => ({
  name,
  script: 'node_modules/vitest/vitest.mjs',
  args: ['run', ...projects.flatMap((project) => ['--project', project])],
  vitest: true,
})

/** @type {Gate[]} */
const gates = [
  { name: 'format', script: 'node_modules/prettier/bin/prettier.cjs', args: ['--check', '.'] },
  { name: 'lint', script: 'node_modules/eslint/bin/eslint.js', args: ['--max-warnings', '0', '.'] },
  { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['-b'] },
  suites('unit and conformance', ['unit', 'conformance']),
  suites('architecture', ['architecture']),
  suites('pack', ['pack']),
  { name: 'unused code and dependencies', script: 'node_modules/knip/bin/knip.js', args: [] },
  suites('docs', ['docs']),
  { ...suites('end to end', ['e2e']), testOnly: true },
]

/**
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
const run = (script, args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ code: 1, output: String(error) }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })

/**
 * Counts the tests of a vitest run by its JSON report. A file that could not be loaded holds no test and fails as one;
 * so does a run that fails beside its tests, by an unhandled rejection for instance.
 * @param {string} path
 * @param {number} code
 */
const count = (path, code) => {
  /** @type {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: unknown[] }[] }} */
  const report = JSON.parse(readFileSync(path, 'utf8'))
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length
  const failed = report.numFailedTests + unloaded
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed }
}

/**
 * @param {Gate} gate
 * @param {string} folder for reports
 * @returns {Promise<Outcome>}
 */
const pass = async ({ script, args, vitest }, folder) => {
  if (!vitest) {
    const { code, output } = await run(script, args)
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output }
  }
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const { code, output } = await run(script, [
    ...args,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  try {
    return { ...count(report, code), output }
  } catch {
    return { passed: 0, failed: 1, output }
  }
}

/** @param {Gate[]} chosen */
const runAll = async (chosen) => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-test-'))
  const width = Math.max(...chosen.map(({ name }) => name.length))
  /** @type {(Outcome & { name: string })[]} */
  const outcomes = []
  try {
    for (const gate of chosen) {
      const start = performance.now()
      process.stdout.write(`${gate.name.padEnd(width)}  `)
      const outcome = await pass(gate, folder)
      const took = `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(8)
      const tally = gate.vitest ? `  ${outcome.passed} passed, ${outcome.failed} failed` : ''
      console.log(`${outcome.failed === 0 ? 'ok    ' : 'FAILED'}${took}${tally}`)
      outcomes.push({ name: gate.name, ...outcome })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return outcomes
}

const ready = await setUp()
const chosen = gates.filter(({ testOnly }) => !testOnly || !process.argv.includes('--gates'))
const outcomes = ready ? await runAll(chosen) : [{ name: 'set-up', passed: 0, failed: 1, output: '' }]

for (const { name, failed, output } of outcomes) {
  if (failed > 0 && output !== '') console.log(`\n── ${name} ──\n${output.trimEnd()}`)
}
const total = (/** @type {'passed' | 'failed'} */ key) =>
  outcomes.reduce((sum, outcome) => sum + outcome[key], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exitCode = total('failed') === 0 ? 0 : 1

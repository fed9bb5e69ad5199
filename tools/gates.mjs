import { runningMajor } from './other-nodes.mjs'
import { BUILD } from './setup.mjs'

/**
 * @typedef {object} Gate
 * @property {string} name
 * @property {string} script a Node script, from the root
 * @property {readonly string[]} args
 * @property {string} [program] the Node that runs it. Default: the running one
 * @property {boolean} [vitest] whether it counts its own tests
 * @property {boolean} [needsBuild] whether it looks at what the build made
 * @property {boolean} [testOnly] whether it belongs to `npm test` and not to `npm run check`
 */

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

/** @param {number} major */
const unitAndConformance = (major) => suites(`unit and conformance, Node ${major}`, ['unit', 'conformance'])

/** @param {number} major */
const kafkaConformance = (major) => {
  const { args, ...gate } = suites(`kafka conformance, Node ${major}`, ['kafka'])
  return { ...gate, args: [...args, 'packages/adapters/src/kafkajs'] }
}

/**
 * All gates, in the order in which they should fail.
 * @param {readonly import('./other-nodes.mjs').OtherNode[]} otherNodes
 * @returns {readonly Gate[]}
 */
export const gatesWith = (otherNodes) => [
  { name: 'format', script: 'node_modules/prettier/bin/prettier.cjs', args: ['--check', '.'] },
  { name: 'lint', script: 'node_modules/eslint/bin/eslint.js', args: ['--max-warnings', '0', '.'] },
  { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['-b'] },
  { name: 'build', ...BUILD },
  unitAndConformance(runningMajor),
  suites('real time', ['real-time']),
  ...otherNodes.map(({ major, program }) => ({ ...unitAndConformance(major), program, testOnly: true })),
  suites('architecture', ['architecture']),
  { ...suites('pack', ['pack']), needsBuild: true },
  { ...suites('sizes', ['sizes']), needsBuild: true },
  { ...suites('bench', ['bench']), needsBuild: true, testOnly: true },
  { name: 'unused code', script: 'node_modules/knip/bin/knip.js', args: [] },
  { ...suites('docs', ['docs']), needsBuild: true },
  { ...suites('soak', ['soak']), needsBuild: true, testOnly: true },
  { ...suites('bundles', ['bundles']), needsBuild: true, testOnly: true },
  { ...suites('register', ['register']), needsBuild: true, testOnly: true },
  { ...suites('end to end', ['e2e']), needsBuild: true, testOnly: true },
  { ...suites('beside OpenTelemetry', ['otel']), needsBuild: true, testOnly: true },
  { ...suites('kafka', ['kafka']), needsBuild: true, testOnly: true },
  ...otherNodes.map(({ major, program }) => ({ ...kafkaConformance(major), program, testOnly: true })),
]

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Tests meet the sources, not the builds: the same mapping as `paths` in tsconfig.base.json.
// What is published is tried by test/pack, test/docs and test/e2e, which start processes of their own.
const alias = [
  { find: /^@waybill\/(core|routing)$/, replacement: root('packages/$1/src/index.ts') },
  { find: /^@waybill\/(core|routing|conformance)\/([\w-]+)$/, replacement: root('packages/$1/src/$2.ts') },
  { find: /^@waybill\/adapters\/([\w-]+)$/, replacement: root('packages/adapters/src/$1/index.ts') },
]

// These hold real processes to leases of seconds. Beside others on two cores a thread may come too late for its lease.
const realTime = ['packages/routing/src/heartbeat.test.ts', 'packages/routing/src/announce.test.ts']

// These laws are held against a real broker, which the project `kafka` starts.
const onBroker = ['packages/adapters/src/kafkajs/*.conformance.ts']

interface Suite {
  readonly name: string
  readonly include: string[]
  readonly exclude?: string[]
  /** Milliseconds for one test. */
  readonly timeout?: number
  /** Whether files of the suite may run beside each other. Default true. */
  readonly parallel?: boolean
  /** A module that runs once before the suite. */
  readonly setup?: string
}

const suite = ({ name, include, exclude = [], timeout = 10_000, parallel = true, setup }: Suite) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
    testTimeout: timeout,
    hookTimeout: timeout,
    fileParallelism: parallel,
    globalSetup: setup === undefined ? [] : [root(setup)],
    environment: 'node' as const,
  },
})

export default defineConfig({
  resolve: { alias },
  test: {
    // Concurrent tests start processes of their own; two keep a small machine busy.
    maxConcurrency: 2,
    // One core less is the default; on two cores half the time of the tests that wait would be lost.
    maxWorkers: '100%',
    projects: [
      suite({
        name: 'unit',
        include: ['packages/*/src/**/*.test.ts', 'tools/*.test.ts'],
        exclude: realTime,
      }),
      suite({
        name: 'real-time',
        include: realTime,
        timeout: 60_000,
        parallel: false,
      }),
      suite({
        name: 'conformance',
        include: ['packages/*/src/**/*.conformance.ts'],
        exclude: onBroker,
        timeout: 30_000,
      }),
      suite({ name: 'architecture', include: ['test/architecture/**/*.test.ts'], timeout: 60_000 }),
      suite({
        name: 'pack',
        include: ['test/pack/*.test.ts'],
        timeout: 300_000,
        parallel: false,
        setup: 'test/pack/bare-project.ts',
      }),
      suite({ name: 'sizes', include: ['test/size/*.test.ts'], timeout: 60_000 }),
      suite({ name: 'soak', include: ['test/soak/*.test.ts'], timeout: 600_000, parallel: false }),
      suite({ name: 'bench', include: ['test/bench/*.test.ts'], timeout: 120_000, parallel: false }),
      suite({
        name: 'bundles',
        include: ['test/bundles/*.test.ts'],
        timeout: 120_000,
        parallel: false,
        setup: 'test/bundles/installed-packages.ts',
      }),
      suite({ name: 'register', include: ['test/register/*.test.ts'], timeout: 120_000, parallel: false }),
      suite({ name: 'otel', include: ['test/otel/*.test.ts'], timeout: 120_000, parallel: false }),
      suite({ name: 'e2e', include: ['test/e2e/*.test.ts'], timeout: 120_000, parallel: false }),
      suite({
        name: 'kafka',
        include: ['test/kafka/**/*.test.ts', 'test/e2e/kafka/*.test.ts', ...onBroker],
        timeout: 180_000,
        parallel: false,
        setup: 'test/kafka/shared-broker.ts',
      }),
      suite({ name: 'docs', include: ['test/docs/**/*.test.ts'], timeout: 300_000, parallel: false }),
    ],
  },
})

/** `npm run nightly`: the properties of the codec over a million generated inputs each. About half an hour. */
import { spawn } from 'node:child_process'
import { root } from './run.mjs'

const tests = ['node_modules/vitest/vitest.mjs', 'run', 'packages/core/src/codec.properties.test.ts']
spawn(process.execPath, [...tests, '--testTimeout=7200000'], {
  cwd: root,
  env: { RUNS: '1000000', ...process.env },
  stdio: 'inherit',
}).once('exit', (code) => {
  process.exitCode = code ?? 1
})

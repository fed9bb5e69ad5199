import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { defaultPath } from './default-path.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['/run/user/1000', '/run/user/1000/waybill'],
  ['', join(homedir(), '.waybill/run')],
  ['relative', join(homedir(), '.waybill/run')],
  [undefined, join(homedir(), '.waybill/run')],
])('XDG_RUNTIME_DIR=%s: %s', (runtime, path) => {
  vi.stubEnv('XDG_RUNTIME_DIR', runtime)
  expect(defaultPath()).toBe(path)
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { binariesFor } from './other-nodes.mjs'
import type { Lock } from './staleness.mjs'

const lock = JSON.parse(
  readFileSync(new URL('node-matrix/package-lock.json', import.meta.url), 'utf8'),
) as Lock

test.each(['linux x64', 'linux arm64', 'darwin x64'])('npm has each version for %s', (system) => {
  const [os = '', cpu = ''] = system.split(' ')
  expect([...binariesFor(lock, { os, cpu })]).toEqual(
    [20, 22, 24].map((major) => [major, `node_modules/node${major}-${os}-${cpu}`]),
  )
})

test('a system for which npm has none gets none, and 32-bit arm not those of arm64', () => {
  expect(binariesFor(lock, { os: 'freebsd', cpu: 'x64' }).size).toBe(0)
  expect(binariesFor(lock, { os: 'linux', cpu: 'arm' }).size).toBe(0)
})

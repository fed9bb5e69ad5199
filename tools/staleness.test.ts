import { expect, test } from 'vitest'
import { staleness } from './staleness.mjs'

const linux = { os: 'linux', cpu: 'x64' }
const binary = { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] }
const lock = {
  packages: {
    '': {},
    'packages/core': { version: '0.1.0' },
    'node_modules/@waybill/core': { link: true },
    'node_modules/yaml': { version: '2.9.1' },
    'node_modules/binary-darwin': binary,
  },
}
const { '': _root, 'node_modules/binary-darwin': _binary, ...installed } = lock.packages

test('a clone where npm has written no record is stale', () => {
  expect(staleness(lock, undefined, linux)).toBe('nothing is installed')
})

test('what the lock says is fresh, without the binaries of other systems', () => {
  expect(staleness(lock, { packages: installed }, linux)).toBeUndefined()
})

test('another version, a missing package and one too many are stale', () => {
  const other = { ...installed, 'node_modules/yaml': { version: '2.9.0' } }
  expect(staleness(lock, { packages: other }, linux)).toBe('node_modules/yaml differs from the lock')
  const { 'node_modules/yaml': _yaml, ...without } = installed
  expect(staleness(lock, { packages: without }, linux)).toBe('node_modules/yaml differs from the lock')
  const more = { ...installed, 'node_modules/left': { version: '1.0.0' } }
  expect(staleness(lock, { packages: more }, linux)).toBe('node_modules/left is not in the lock')
})

test('node_modules that came from another system is stale', () => {
  const copied = { packages: { ...installed, 'node_modules/binary-darwin': binary } }
  expect(staleness(lock, copied, linux)).toBe('node_modules/binary-darwin is of another system')
  expect(staleness(lock, copied, { os: 'darwin', cpu: 'arm64' })).toBeUndefined()
})

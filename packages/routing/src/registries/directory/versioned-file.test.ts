import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lastVersions, VersionedFile } from './versioned-file.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-version-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('begins at version 0 and goes on by one, whoever writes', () => {
  const [one, two] = [new VersionedFile(folder, 'a'), new VersionedFile(folder, 'a')]
  expect(one.read()).toEqual({ version: 0, text: undefined })
  expect(one.replace(0, 'first')).toBe(true)
  expect(two.replace(0, 'late')).toBe(false)
  expect(two.read()).toEqual({ version: 1, text: 'first' })
  expect(two.replace(1, 'second')).toBe(true)
  expect(one.read()).toEqual({ version: 2, text: 'second' })
})

test('who slept while several versions went by does not win with one that was removed', () => {
  const [sleeper, other] = [new VersionedFile(folder, 'a'), new VersionedFile(folder, 'a')]
  sleeper.replace(0, '1')
  const { version } = sleeper.read()
  for (let seen = 1; seen < 5; seen += 1) expect(other.replace(seen, String(seen + 1))).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['a@4.json', 'a@5.json'])
  expect(sleeper.replace(version, 'late')).toBe(false)
  expect(other.read()).toEqual({ version: 5, text: '5' })
})

test('who slept while everything was removed does not win either', () => {
  const sleeper = new VersionedFile(folder, 'a')
  sleeper.replace(0, '1')
  const { version } = sleeper.read()
  rmSync(join(folder, 'a@1.json'))
  expect(sleeper.replace(version, 'late')).toBe(false)
  expect(sleeper.read().version).toBe(0)
})

test('numbers count as numbers, names that begin alike are others, and nothing temporary is left', () => {
  const file = new VersionedFile(folder, 'a')
  for (let seen = 0; seen < 12; seen += 1) file.replace(seen, String(seen))
  new VersionedFile(folder, 'a.b').replace(0, 'x')
  expect(file.read()).toEqual({ version: 12, text: '11' })
  expect([...lastVersions(folder)].sort()).toEqual([
    ['a', 12],
    ['a.b', 1],
  ])
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPage } from '../docs/markdown.js'
import { read, root } from './source-files.js'

const headings = (path: string): readonly string[] =>
  existsSync(join(root, path)) ? readPage(path).headings : []

const unique = (names: Iterable<string>): string[] => [...new Set(names)].sort()

test('docs/errors.md has a heading for each code, and no other code', () => {
  const codes = unique(read('packages/core/src/errors.ts').match(/\bERR_WAYBILL_[A-Z_]+\b/g) ?? [])
  const documented = headings('docs/errors.md').filter((heading) => heading.startsWith('ERR_'))
  expect(codes).not.toEqual([])
  expect([...documented].sort()).toEqual(codes)
})

test('docs/events.md has a heading for each channel, and no other channel', async () => {
  const { eventNames } = await import('../../packages/core/src/events.js')
  const documented = headings('docs/events.md').filter((heading) => heading.startsWith('waybill:'))
  expect([...documented].sort()).toEqual(eventNames.map((name) => `waybill:${name}`).sort())
})

test('docs/configuration.md names each variable of the table, and no other', () => {
  const names = (text: string): string[] =>
    unique(text.match(/\b(WAYBILL_[A-Z_]+|APP_CELL|DEPLOY_ENV)\b/g) ?? [])
  const variables = names(read('packages/core/src/configuration.ts'))
  expect(variables).not.toEqual([])
  expect(names(read('docs/configuration.md'))).toEqual(variables)
})

describe('each adapter has its page and its conformance record', () => {
  const rooms = readdirSync(join(root, 'packages/adapters/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

  test('the rooms are the entries of the package', () => {
    const { exports } = JSON.parse(read('packages/adapters/package.json')) as {
      exports: Record<string, unknown>
    }
    const entries = Object.keys(exports).filter((entry) => entry !== './package.json')
    expect([...rooms].sort()).toEqual(entries.map((entry) => entry.slice(2)).sort())
  })

  test.each(rooms)('%s', (room) => {
    const files = ['index.ts', `${room}.ts`, `${room}.conformance.ts`, `${room}.test.ts`, 'README.md']
    const missing = files.filter((file) => !existsSync(join(root, 'packages/adapters/src', room, file)))
    expect(missing).toEqual([])
  })
})

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configurationTable } from '../../packages/core/src/configuration.js'
import { errorCodes } from '../../packages/core/src/errors.js'
import { eventNames } from '../../packages/core/src/events.js'
import { readPage, type Page } from '../docs/markdown.js'
import { read, root, sourceFiles } from './source-files.js'

const page = (path: string): Partial<Page> => (existsSync(join(root, path)) ? readPage(path) : {})

test('docs/errors.md has a heading for each code, and no other code', () => {
  const documented = page('docs/errors.md').headings?.filter((heading) => heading.startsWith('ERR_'))
  expect(documented?.sort()).toEqual([...errorCodes].sort())
})

test('docs/events.md has a heading for each channel, and no other channel', () => {
  const documented = page('docs/events.md').headings?.filter((heading) => heading.startsWith('waybill:'))
  expect(documented?.sort()).toEqual(eventNames.map((name) => `waybill:${name}`).sort())
})

describe('what is advised where context is lost', () => {
  const files = sourceFiles.filter(({ path }) => path.endsWith('/loss-remedies.ts')).map(({ path }) => path)

  test('stands in core and in the rooms that run code in no scope', () => {
    const advising = sourceFiles.filter(({ path, text }) => {
      return !path.endsWith('.test.ts') && text.includes('docs/losing-context.md#')
    })
    expect(advising.map(({ path }) => path)).toEqual(files)
    expect(files.length).toBeGreaterThan(1)
  })

  test.each(files)('ends in its heading of docs/losing-context.md: %s', async (file) => {
    const remedies = Object.entries((await import(join(root, file))) as Readonly<Record<string, unknown>>)
    expect(remedies).not.toEqual([])
    for (const [name, remedy] of remedies) {
      const [, anchor] = /: docs\/losing-context\.md#([\w-]+)$/.exec(String(remedy)) ?? []
      expect(page('docs/losing-context.md').anchors, name).toContain(anchor)
    }
  })
})

test('docs/configuration.md has the table of options and variables, defaults included', () => {
  const table = page('docs/configuration.md').tables?.find(([head]) => head?.[1]?.startsWith('variable'))
  const documented = table
    ?.slice(1)
    .map(([option, variables, byDefault]) => ({ option, variables, default: byDefault }))
  expect(documented).toEqual(
    configurationTable.map((entry) => ({ ...entry, variables: entry.variables.join(', ') })),
  )
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
    const files = ['index.ts', `${room}.ts`, `${room}.conformance.ts`, 'README.md']
    const missing = files.filter((file) => !existsSync(join(root, 'packages/adapters/src', room, file)))
    expect(missing).toEqual([])
  })
})

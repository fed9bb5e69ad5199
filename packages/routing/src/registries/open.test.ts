import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Registry } from '../registry.js'
import { directoryRegistry } from './directory.js'
import { fileRegistry } from './file.js'
import { openRegistry } from './open.js'

let folder: string
const opened: Registry[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-open-'))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((registry) => registry.close()))
  rmSync(folder, { recursive: true, force: true })
})
const open = (url: string, environment = 'test'): Registry => {
  const registry = openRegistry(url, environment)
  opened.push(registry)
  return registry
}

test('one registry for each URL and environment, until it is closed', async () => {
  const registry = open(`directory:${folder}`)
  expect(open(`directory:${folder}`)).toBe(registry)
  expect(open(`directory:${folder}`, 'staging')).not.toBe(registry)
  expect(registry.kind).toBe('directory')
  expect(registry.place).toBe(`directory:${folder}`)
  await registry.close()
  const again = open(`directory:${folder}`)
  expect(again).not.toBe(registry)
  expect([...again.index('inventory')]).toEqual([])
})

test('another copy of the package opens the same one', async () => {
  vi.resetModules()
  const other = await import('./open.js')
  expect(other.openRegistry).not.toBe(openRegistry)
  expect(other.openRegistry(`directory:${folder}`, 'test')).toBe(open(`directory:${folder}`))
})

test('a path may follow //', () => {
  writeFileSync(join(folder, 'registry.yaml'), 'instances: []\n')
  expect(open(`file:${folder}/registry.yaml`).kind).toBe('file')
  expect(open(`file://${folder}/registry.yaml`).place).toBe(`file:${folder}/registry.yaml`)
})

test('a path that is not absolute is refused, naming the variable', () => {
  for (const url of ['directory:~/x', 'directory:./x', 'directory:x', 'file:x.yaml', 'file:~/x.yaml']) {
    expect(() => open(url)).toThrow(/not absolute.*WAYBILL_REGISTRY.*\[ERR_WAYBILL_REGISTRY\]/)
  }
})

test('in a program a relative path is seen from the working folder, and ~ is refused', () => {
  expect(() => fileRegistry({ path: '~/registry.yaml' })).toThrow(
    /~ is not resolved.*\[ERR_WAYBILL_REGISTRY\]/,
  )
  expect(() => directoryRegistry({ path: '~' })).toThrow(/~ is not resolved.*\[ERR_WAYBILL_REGISTRY\]/)
  const path = relative(process.cwd(), folder)
  const registry = directoryRegistry({ path })
  opened.push(registry)
  registry.open('test')
  expect(existsSync(join(folder, 'test/baseline'))).toBe(true)
})

test('what cannot be opened is not kept', () => {
  const url = `file:${folder}/later.yaml`
  expect(() => open(url)).toThrow(/ERR_WAYBILL_REGISTRY_FILE/)
  writeFileSync(join(folder, 'later.yaml'), 'instances: []\n')
  expect([...open(url).index('inventory')]).toEqual([])
})

test('an unknown scheme is refused, naming those that are known', () => {
  for (const url of ['nacos://host:8848', '', 'directory', 'file:', '/path']) {
    expect(() => open(url)).toThrow(/directory:\/path.*ERR_WAYBILL_REGISTRY/)
  }
})

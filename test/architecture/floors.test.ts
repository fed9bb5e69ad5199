import { describe, expect, test } from 'vitest'
import { circles, importsOf, packageOf, runtimeImportsOf } from './imports.js'
import { applicationEntries, publishedFiles, reachable } from './published-files.js'
import { floors, sourceFiles, type SourceFile } from './source-files.js'

const TESTING = '@waybill/core/testing'
/** The one host that an adapter imports: its context is the store, and nothing can stand for that. */
const PEER = '@opentelemetry/api'

/**
 * What users get of each floor may import this, besides `node:*` and its own package. Adapters and routing use the two
 * entries of core that a stranger has, so that a stranger can write one just as well.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  adapters: ['@waybill/core', '@waybill/core/adapter', PEER],
  routing: ['@waybill/core', '@waybill/core/adapter', 'yaml'],
  conformance: ['@waybill/core', '@waybill/core/adapter', TESTING, 'vitest', 'fast-check', 'prettier'],
}

test('every package stands on a floor', () => {
  expect(Object.keys(ALLOWED).sort()).toEqual([...floors].sort())
})

describe.each(floors)('%s', (floor) => {
  const own = (file: SourceFile): boolean => file.floor === floor
  const published = publishedFiles.filter(own)
  const forApplications = new Set(reachable(applicationEntries))

  test('imports only what its floor may', () => {
    const wrong = (published.length > 0 ? published : sourceFiles.filter(own)).flatMap((file) => {
      const allowed = [...(ALLOWED[floor] ?? []), ...(forApplications.has(file) ? [] : [TESTING])]
      return importsOf(file)
        .filter((name) => !name.startsWith('node:') && !name.startsWith(`packages/${floor}/src/`))
        .filter((name) => !allowed.includes(name))
        .map((name) => `${file.path} imports ${name}`)
    })
    expect(wrong).toEqual([])
  })

  test('has no circle of imports once types are erased', () => {
    const files = sourceFiles.filter(own)
    expect(circles(new Map(files.map((file) => [file.path, runtimeImportsOf(file)])))).toEqual([])
  })
})

test('rooms of the adapters know each other only by the one allowed arrow, to node-http', () => {
  const room = (path: string): string | undefined => /^packages\/adapters\/src\/([^/]+)\//.exec(path)?.[1]
  const wrong = publishedFiles.flatMap((file) =>
    importsOf(file)
      .filter(
        (name) => room(name) !== undefined && room(name) !== room(file.path) && room(name) !== 'node-http',
      )
      .map((name) => `${file.path} imports ${name}`),
  )
  expect(wrong).toEqual([])
})

test('the room of a peer alone imports it, since it need not be installed', () => {
  const importers = publishedFiles.filter((file) => importsOf(file).includes(PEER))
  expect(importers.length).toBeGreaterThan(0)
  expect(importers.filter(({ path }) => !path.startsWith('packages/adapters/src/otel/'))).toEqual([])
})

test('a test of a package stays below its floor too', () => {
  const above: Readonly<Record<string, readonly string[]>> = {
    core: ['@waybill/adapters', '@waybill/routing'],
    adapters: ['@waybill/routing'],
    routing: ['@waybill/adapters'],
    conformance: ['@waybill/adapters', '@waybill/routing'],
  }
  const wrong = sourceFiles.flatMap((file) =>
    importsOf(file)
      .filter((name) => above[file.floor]?.includes(packageOf(name)))
      .map((name) => `${file.path} imports ${name}`),
  )
  expect(wrong).toEqual([])
})

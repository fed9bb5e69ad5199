import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordEvents } from '@waybill/core/testing'
import type { WaybillError } from '@waybill/core'
import type { Registry } from '../registry.js'
import { fileRegistry } from './file.js'

let folder: string
let path: string
let developersPath: string
const opened: Registry[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-file-'))
  path = join(folder, 'registry.yaml')
  developersPath = join(folder, 'registry.developers.yaml')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((registry) => registry.close()))
  rmSync(folder, { recursive: true, force: true })
})

const open = (options: { pollMs?: number } = {}): Registry => {
  const registry = fileRegistry({ path, pollMs: 100, leaseMs: 400, ...options })
  opened.push(registry)
  registry.open('test')
  return registry
}
const ids = (registry: Registry, service = 'inventory'): string[] =>
  [...registry.index(service)].map(({ id }) => id)

const GOOD = `
services:
  inventory:
    - { id: a, host: 10.1.2.3, port: 8080, zone: az-ci }
`

test('YAML and JSON, as a list of instances and by service, joined with the file of the developers', () => {
  writeFileSync(
    path,
    `
# the shared environment
instances:
  - service: payment
    host: 10.1.2.3
    port: 8080
    metadata: { role: leader }
services:
  inventory:
    - { host: 10.1.2.3, port: 8081, zone: AZ-CI, weight: 2 }
    - { host: 10.1.2.4, port: 8081, environment: staging }
  coupon:
`,
  )
  writeFileSync(
    developersPath,
    JSON.stringify({
      instances: [
        { service: 'inventory', host: '10.9.9.9', port: 3000, clks: 'alice,team.*', owner: 'alice' },
      ],
    }),
  )
  const registry = open()
  expect([...registry.index('payment')]).toMatchObject([
    { id: 'payment@10.1.2.3:8080', metadata: { role: 'leader' } },
  ])
  expect([...registry.index('inventory')].filter(({ environment }) => environment === 'test')).toMatchObject([
    { id: 'inventory@10.1.2.3:8081', zone: 'az-ci', weight: 2, clks: [], enabled: true },
    { id: 'inventory@10.9.9.9:3000', clks: ['alice', 'team.*'], owner: 'alice' },
  ])
  expect(registry.index('inventory').holderOf('team')).toBe('alice')
  expect(ids(registry, 'coupon')).toEqual([])
})

describe('a mistake names file, line and field', () => {
  const mistakes: readonly [
    title: string,
    text: string,
    line: number,
    field: string | undefined,
    problem: RegExp,
  ][] = [
    ['text that is no YAML', 'services:\n  inventory: [\n', 3, undefined, /./],
    ['a key twice', 'services:\n  a: []\nservices: {}\n', 3, undefined, /unique/],
    ['nothing', '', 1, undefined, /empty.*instances: \[\]/],
    ['white space and a comment', ' \n# nobody\n', 1, undefined, /empty/],
    [
      'nesting that would break the parser',
      `services: {}\ninstances: ${'['.repeat(2_000)}`,
      2,
      undefined,
      /nested/,
    ],
    ['a list at the top', '- a\n', 1, undefined, /mapping/],
    ['an unknown key at the top', 'instances: []\nservice: []\n', 2, 'service', /unknown key/],
    ['instances that are none', 'instances: 7\n', 1, 'instances', /list/],
    ['services that are none', 'services:\n  - a\n', 2, 'services', /map each service/],
    ['an entry that is none', 'services:\n  a:\n    - 7\n', 3, 'services.a[0]', /mapping/],
    [
      'a port out of range',
      'services:\n  a:\n    - host: h\n      port: 70000\n',
      4,
      'services.a[0].port',
      /65535/,
    ],
    [
      'an unknown key',
      'services:\n  a:\n    - host: h\n      port: 1\n      wieght: 2\n',
      5,
      'services.a[0].wieght',
      /unknown/,
    ],
    ['a missing host', 'services:\n  a:\n    - port: 1\n', 3, 'services.a[0].host', /missing/],
    [
      'a tagged instance',
      'instances:\n  - { service: a, host: h, port: 1,\n      clks: alice }\n',
      3,
      'instances[0].clks',
      /registry\.developers\.yaml/,
    ],
    [
      'a clk in the metadata',
      'services:\n  a:\n    - host: h\n      port: 1\n      metadata:\n        clk: alice\n',
      6,
      'services.a[0].metadata.clk',
      /clks/,
    ],
    [
      'an id twice',
      'services:\n  a:\n    - { id: x, host: h, port: 1 }\n    - { id: x, host: i, port: 1 }\n',
      4,
      'services.a[1].id',
      /line 3/,
    ],
  ]
  test.each(mistakes)('%s', (_title, text, line, field, problem) => {
    writeFileSync(path, text)
    let error: unknown
    try {
      open()
    } catch (caught) {
      error = caught
    }
    expect(error).toMatchObject({
      code: 'ERR_WAYBILL_REGISTRY_FILE',
      facts: { file: path, line, problem: expect.stringMatching(problem) },
      remedy: 'Correct the line named here.',
    })
    expect((error as WaybillError).facts['field']).toBe(field)
  })

  test.each([
    [
      'no clks',
      '- { service: a, host: h, port: 1, owner: alice }',
      'instances[0].clks',
      /stand in registry\.yaml/,
    ],
    [
      'a clk that is none',
      '- { service: a, host: h, port: 1, owner: alice, clks: "alice,b_b" }',
      'instances[0].clks',
    ],
    ['no owner', '- { service: a, host: h, port: 1, clks: alice }', 'instances[0].owner'],
    [
      'two owners of one tag',
      '- { service: a, host: h, port: 1, clks: team, owner: alice }\n  - { service: b, host: h, port: 2, clks: team.*, owner: bob }',
      'instances[1].clks',
    ],
  ])("in the developers' file: %s", (_title, entries, field, problem = /./) => {
    writeFileSync(path, GOOD)
    writeFileSync(developersPath, `instances:\n  ${entries}\n`)
    expect(() => open()).toThrow(
      expect.objectContaining({
        code: 'ERR_WAYBILL_REGISTRY_FILE',
        facts: expect.objectContaining({
          file: developersPath,
          field,
          problem: expect.stringMatching(problem),
        }),
      }),
    )
  })

  test('a file that grows when it is unfolded is one', () => {
    const nine = (text: string): string => `[${new Array(9).fill(text).join(', ')}]`
    const levels = ['a', 'b', 'c', 'd'].map(
      (name, at, all) => `${name}: &${name} ${nine(at === 0 ? 'x' : `*${all[at - 1] ?? ''}`)}`,
    )
    writeFileSync(path, `instances:\n  - service: s\n    metadata:\n      ${levels.join('\n      ')}\n`)
    expect(() => open()).toThrow(/alias.*ERR_WAYBILL_REGISTRY_FILE/i)
  })

  test('a missing file is one', () => {
    expect(() => open()).toThrow(
      expect.objectContaining({
        code: 'ERR_WAYBILL_REGISTRY_FILE',
        facts: { file: path, problem: 'cannot be read (ENOENT)' },
        remedy: 'Create it, or correct WAYBILL_REGISTRY.',
      }),
    )
  })

  test('and so is what cannot be read', () => {
    writeFileSync(path, GOOD)
    mkdirSync(developersPath)
    expect(() => open()).toThrow(/cannot be read \(EISDIR\)\)\. Make it a file that this user can read, or/)
  })
})

describe('read again when it changes', () => {
  test('changes are told one by one, by whatever way the file was replaced', async () => {
    writeFileSync(path, GOOD)
    const registry = open()
    const told: string[] = []
    registry.watch('inventory', ({ kind, instance: { id } }) => told.push(`${kind} ${id}`))
    writeFileSync(`${path}.new`, `${GOOD}    - { id: b, host: 10.1.2.4, port: 8080 }\n`)
    renameSync(`${path}.new`, path)
    await vi.waitFor(() => expect(told).toEqual(['added b']), { timeout: 3_000 })
    writeFileSync(path, GOOD.replace('8080', '9090'))
    await vi.waitFor(() => expect(told).toEqual(['added b', 'removed b', 'changed a']), { timeout: 3_000 })
    writeFileSync(path, `# no change\n${GOOD.replace('8080', '9090')}`)
    await setTimeout(300)
    expect(told).toHaveLength(3)
  })

  test('a file that is emptied and then filled, as many programs save, takes nobody away', async () => {
    writeFileSync(path, GOOD)
    const registry = open()
    const told: string[] = []
    registry.watch('inventory', ({ kind, instance: { id } }) => told.push(`${kind} ${id}`))
    const events = recordEvents(['audit'])
    const isStale = (): boolean => registry.index('inventory').stale
    for (const half of ['', '', 'services:\n', 'services: { inventory: [] }']) {
      writeFileSync(path, half)
      await setTimeout(35)
      expect(isStale()).toBe(false)
      writeFileSync(path, GOOD)
      await setTimeout(150)
    }
    expect(told).toEqual([])
    writeFileSync(path, '')
    await vi.waitFor(() => expect(isStale()).toBe(true), { timeout: 3_000 })
    expect(ids(registry)).toEqual(['a'])
    expect(events.of('audit').filter(({ facts }) => facts['file'] === path)).toHaveLength(1)
    events.stop()
  })

  test('a link in another folder that is turned, as a ConfigMap is', async () => {
    for (const [version, text] of [
      ['v1', GOOD],
      ['v2', GOOD.replace('id: a', 'id: b')],
    ] as const) {
      mkdirSync(join(folder, version))
      writeFileSync(join(folder, version, 'registry.yaml'), text)
    }
    symlinkSync('v1', join(folder, 'data'))
    symlinkSync(join('data', 'registry.yaml'), path)
    const registry = open()
    expect(ids(registry)).toEqual(['a'])
    symlinkSync('v2', join(folder, 'data.new'))
    renameSync(join(folder, 'data.new'), join(folder, 'data'))
    await vi.waitFor(() => expect(ids(registry)).toEqual(['b']), { timeout: 3_000 })
  })

  test('a mistake leaves the last good snapshot, as stale, and is told once', async () => {
    writeFileSync(path, GOOD)
    const registry = open()
    const events = recordEvents(['audit'])
    writeFileSync(path, `${GOOD}    - { id: b, host: 10.1.2.4, port: many }\n`)
    await vi.waitFor(() => expect(registry.index('inventory').stale).toBe(true), { timeout: 3_000 })
    await setTimeout(500)
    expect(ids(registry)).toEqual(['a'])
    const told = events.of('audit').filter(({ facts }) => facts['file'] === path)
    expect(told).toEqual([
      {
        action: 'registry-file',
        facts: {
          code: 'ERR_WAYBILL_REGISTRY_FILE',
          file: path,
          line: 5,
          field: 'services.inventory[1].port',
          problem: 'must be a whole number from 1 to 65535',
          remedy: 'Correct the line named here; until then the last good snapshot stays in use.',
        },
      },
    ])
    writeFileSync(path, `${GOOD}    - { id: b, host: 10.1.2.4, port: 80 }\n`)
    await vi.waitFor(() => expect(ids(registry)).toEqual(['a', 'b']), { timeout: 3_000 })
    expect(registry.index('inventory').stale).toBe(false)
    events.stop()
  })

  test('a file that is gone for a moment takes nobody away', async () => {
    writeFileSync(path, GOOD)
    const registry = open()
    unlinkSync(path)
    await vi.waitFor(() => expect(registry.index('inventory').stale).toBe(true), { timeout: 3_000 })
    expect(ids(registry)).toEqual(['a'])
    writeFileSync(path, GOOD)
    await vi.waitFor(() => expect(registry.index('inventory').stale).toBe(false), { timeout: 3_000 })
  })

  test('routing-74: the last instance leaves and the process starts again: nobody, there is no cache', async () => {
    writeFileSync(path, GOOD)
    const registry = open()
    writeFileSync(path, 'services: { inventory: [] }\n')
    await vi.waitFor(() => expect(ids(registry)).toEqual([]), { timeout: 3_000 })
    await registry.close()
    expect(ids(open())).toEqual([])
  })
})

test('nobody can announce in it, and it says where instead', async () => {
  writeFileSync(path, GOOD)
  const registry = open()
  await expect(registry.register({ id: 'a' } as never)).rejects.toThrow(
    /by hand.*directory:.*ERR_WAYBILL_REGISTRY/,
  )
  await expect(registry.revoke('alice')).rejects.toThrow(/ERR_WAYBILL_REGISTRY/)
})

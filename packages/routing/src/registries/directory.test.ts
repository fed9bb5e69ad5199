import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Instance } from '../instance.js'
import type { Registry } from '../registry.js'
import { bundleScript } from '../script-process.js'
import type { Script, ScriptProcess } from '../script-process.js'
import { directoryRegistry } from './directory.js'

let script: Script
let folder: string
let registry: Registry
const processes: ScriptProcess[] = []

beforeAll(async () => {
  script = await bundleScript(fileURLToPath(new URL('directory/directory-script.ts', import.meta.url)))
}, 60_000)
afterAll(() => {
  script.dispose()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-directory-'))
  registry = directoryRegistry({ path: folder })
  registry.open('test')
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.end('SIGKILL')))
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = async (): Promise<ScriptProcess> => {
  const started = await script.start([folder])
  processes.push(started)
  return started
}

const instance = (fields: Partial<Instance> & { readonly id: string }): Instance => ({
  environment: 'test',
  service: 'inventory',
  host: '127.0.0.1',
  port: 4000,
  clks: [],
  weight: 1,
  enabled: true,
  metadata: {},
  ...fields,
})
const candidates = (service = 'inventory'): string[] =>
  [...registry.index(service)].filter(({ enabled }) => enabled).map(({ id }) => id)

test('an instance of another process is seen, and released it is gone', async () => {
  const changes: string[] = []
  registry.watch('inventory', ({ kind, instance: { id } }) => changes.push(`${kind} ${id}`))
  const other = await start()
  expect(await other.ask({ register: instance({ id: 'a' }) })).toBe('held')
  await vi.waitFor(() => expect(candidates()).toEqual(['a']))
  await other.ask({ release: 'a' })
  await vi.waitFor(() => expect(candidates()).toEqual([]), { timeout: 2_000 })
  expect(changes).toEqual(['added a', 'removed a'])
})

test('routing-95: a process that is killed is gone at once', async () => {
  const other = await start()
  await other.ask({ register: instance({ id: 'a' }) })
  await vi.waitFor(() => expect(candidates()).toEqual(['a']))
  await other.end('SIGKILL')
  await vi.waitFor(() => expect(candidates()).toEqual([]), { timeout: 60, interval: 5 })
})

test('routing-63: a process that is stopped keeps its place', async () => {
  const other = await start()
  await other.ask({ register: instance({ id: 'a', clks: ['alice'], owner: 'alice' }) })
  await vi.waitFor(() => expect(candidates()).toEqual(['a']))
  other.child.kill('SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(candidates()).toEqual(['a'])
  expect(registry.index('inventory').holderOf('alice')).toBe('alice')
})

const race = async (racers: readonly ScriptProcess[], rounds: number): Promise<number[]> => {
  const at = Date.now() + 200
  const results = await Promise.all(
    racers.map((racer, at_) =>
      racer.ask({ race: { owner: `owner-${String(at_)}`, rounds, at, everyMs: 12 } }),
    ),
  )
  const winners = new Array<number>(rounds).fill(0)
  for (const { won, failed } of results as { won: number[]; failed: string[] }[]) {
    expect(failed).toEqual([])
    for (const round of won) winners[round]! += 1
  }
  return winners
}

test(
  'routing-60: of two owners that claim a tag in the same moment one wins, in 200 of 200 races',
  { timeout: 60_000 },
  async () => {
    const racers = await Promise.all([start(), start(), start()])
    expect(await race(racers, 200)).toEqual(new Array<number>(200).fill(1))
  },
)

test(
  'routing-60: a tag whose owner died has exactly one taker, in 200 of 200 races',
  { timeout: 60_000 },
  async () => {
    const dead = await start()
    expect(await race([dead], 200)).toEqual(new Array<number>(200).fill(1))
    await dead.end('SIGKILL')
    const racers = await Promise.all([start(), start(), start()])
    expect(await race(racers, 200)).toEqual(new Array<number>(200).fill(1))
  },
)

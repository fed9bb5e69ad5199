import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { fakeClock } from '@waybill/core/testing'
import type { Instance } from '../instance.js'
import type { Registry } from '../registry.js'
import { bundleScript } from '../script-process.js'
import type { Script, ScriptProcess } from '../script-process.js'
import { select } from '../select.js'
import { directoryRegistry } from './directory.js'
import { fileNameOf } from './directory/lease-file.js'
import { ownMark } from './directory/process-life.js'
import { FILE_BYTES, safeParent } from './directory/safe-folder.js'

/** Once a second the folder is read, where the system tells of no change. */
const SOON = { timeout: 5_000 }

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

const leaseFiles = (): string[] =>
  ['baseline', 'developers'].flatMap((part) => {
    try {
      return readdirSync(join(folder, 'test', part)).filter((name) => name.endsWith('.json'))
    } catch {
      return []
    }
  })

test('an instance of another process is seen, and released it is gone', async () => {
  const changes: string[] = []
  registry.watch('inventory', ({ kind, instance: { id } }) => changes.push(`${kind} ${id}`))
  const other = await start()
  expect(await other.ask({ register: instance({ id: 'a' }) })).toBe('held')
  await vi.waitFor(() => expect(candidates()).toEqual(['a']), SOON)
  await other.ask({ release: 'a' })
  await vi.waitFor(() => expect(candidates()).toEqual([]), { timeout: 2_000 })
  expect(changes).toEqual(['added a', 'removed a'])
})

test('routing-95, routing-13: a process that is killed is gone at once; its tag is remembered as down, not as unknown', async () => {
  const other = await start()
  await other.ask({ register: instance({ id: 'a' }) })
  await other.ask({ register: instance({ id: 'b', port: 4001, clks: ['alice'], owner: 'alice' }) })
  await vi.waitFor(() => expect(candidates()).toEqual(['a', 'b']), SOON)
  await other.end('SIGKILL')
  await vi.waitFor(() => expect(candidates()).toEqual([]), { timeout: 500, interval: 5 })
  expect([...registry.index('inventory')]).toMatchObject([{ id: 'b', clks: ['alice'], enabled: false }])
  // Whoever comes later finds it so as well, and cleans away what nobody asks about.
  const later = directoryRegistry({ path: folder })
  later.open('test')
  expect([...later.index('inventory')]).toMatchObject([{ id: 'b', enabled: false }])
  expect(readdirSync(join(folder, 'test/baseline'))).toEqual([])
  await later.close()
})

test('routing-95: whoever chooses looks himself, without waiting for the regular look', async () => {
  const other = await start()
  await other.ask({ register: instance({ id: 'a' }) })
  // No timer of this one ever runs.
  const clock = fakeClock()
  const still = directoryRegistry({ path: folder, clock })
  still.open('test')
  expect([...still.index('inventory')]).toHaveLength(1)
  await other.end('SIGKILL')
  clock.advance(20)
  expect([...still.index('inventory')]).toEqual([])
  await still.close()
})

test('the tag of a killed owner is taken by another, and then nothing is left of the first', async () => {
  const alice = await start()
  await alice.ask({ register: instance({ id: 'a', clks: ['team.*'], owner: 'alice' }) })
  const bob = await start()
  expect(
    await bob.ask({ register: instance({ id: 'b', port: 4001, clks: ['team'], owner: 'bob' }) }),
  ).toMatchObject({
    code: 'ERR_WAYBILL_TAG_OWNED',
    facts: { tag: 'team', holder: 'alice' },
  })
  await alice.end('SIGKILL')
  expect(await bob.ask({ register: instance({ id: 'b', port: 4001, clks: ['team'], owner: 'bob' }) })).toBe(
    'held',
  )
  await vi.waitFor(() => expect([...registry.index('inventory')].map(({ id }) => id)).toEqual(['b']), SOON)
  expect(registry.index('inventory').holderOf('team')).toBe('bob')
})

test("routing-98: an id that a living process has is refused with pid and host, a dead one's is taken over", async () => {
  const [first, second] = [await start(), await start()]
  await first.ask({ register: instance({ id: 'a' }) })
  expect(await second.ask({ register: instance({ id: 'a', port: 4001 }) })).toMatchObject({
    code: 'ERR_WAYBILL_ID_TAKEN',
    facts: { id: 'a', pid: first.pid, host: hostname() },
  })
  await first.end('SIGKILL')
  expect(await second.ask({ register: instance({ id: 'a', port: 4001 }) })).toBe('held')
  await vi.waitFor(
    () => expect([...registry.index('inventory')]).toMatchObject([{ id: 'a', port: 4001 }]),
    SOON,
  )
})

test('routing-63: a process that is stopped keeps its place and its tag', async () => {
  const other = await start()
  await other.ask({ register: instance({ id: 'a', clks: ['alice'], owner: 'alice' }) })
  await vi.waitFor(() => expect(candidates()).toEqual(['a']), SOON)
  other.child.kill('SIGSTOP')
  await setTimeout(1_500)
  expect(candidates()).toEqual(['a'])
  const bobs = instance({ id: 'b', port: 4001, clks: ['alice'], owner: 'bob' })
  await expect(registry.register(bobs)).rejects.toMatchObject({ code: 'ERR_WAYBILL_TAG_OWNED' })
})

test('a process that ends by itself leaves nothing behind', async () => {
  const other = await start()
  await other.ask({ register: instance({ id: 'a', clks: ['alice'], owner: 'alice' }) })
  await vi.waitFor(() => expect(candidates()).toEqual(['a']), SOON)
  await other.end('SIGINT')
  // SIGINT has no listener and ends it as a kill does; process.exit() runs what was put on 'exit'.
  const another = await start()
  await another.ask({ register: instance({ id: 'b', port: 4001, clks: ['bob'], owner: 'bob' }) })
  another.child.send({ exit: true })
  await once(another.child, 'exit')
  await vi.waitFor(() => expect([...registry.index('inventory')].map(({ id }) => id)).toEqual(['a']), SOON)
})

test('routing-81: a tag that another process releases is gone, its holder is told, and may announce it again', async () => {
  const alice = await start()
  const hers = instance({ id: 'a', clks: ['alice'], owner: 'alice' })
  await alice.ask({ register: hers })
  await vi.waitFor(() => expect(candidates()).toEqual(['a']), SOON)
  expect(await registry.revoke('alice')).toMatchObject([{ id: 'a' }])
  expect(candidates()).toEqual([])
  await vi.waitFor(async () => expect(await alice.ask({ state: 'a' })).toBe('revoked'), { timeout: 3_000 })
  await setTimeout(1_200)
  expect([...registry.index('inventory')]).toEqual([])
  expect(await alice.ask({ register: hers })).toBe('held')
  await vi.waitFor(() => expect(candidates()).toEqual(['a']), SOON)
})

test('neither watching nor a lease keeps a process alive', async () => {
  const other = await start()
  await other.ask({ register: instance({ id: 'a' }) })
  await vi.waitFor(() => expect(candidates()).toEqual(['a']), SOON)
  const ended = once(other.child, 'exit')
  other.child.disconnect()
  expect(await ended).toEqual([0, null])
  await vi.waitFor(() => expect([...registry.index('inventory')]).toEqual([]), SOON)
})

test('a folder that is wiped out is made again, with everybody in it, and nobody is told of a change', async () => {
  const other = await start()
  await other.ask({ register: instance({ id: 'a' }) })
  await registry.register(instance({ id: 'b', port: 4001, clks: ['alice'], owner: 'alice' }))
  await vi.waitFor(() => expect(candidates()).toEqual(['b', 'a'].sort()), SOON)
  const told: string[] = []
  registry.watch('inventory', ({ kind, instance: { id } }) => told.push(`${kind} ${id}`))
  // Away at once: its processes make it again faster than it can be emptied.
  renameSync(join(folder, 'test'), join(folder, 'wiped'))
  await vi.waitFor(() => expect(leaseFiles()).toHaveLength(2), { timeout: 5_000 })
  await setTimeout(1_500)
  expect(candidates().sort()).toEqual(['a', 'b'])
  expect(registry.index('inventory').stale).toBe(false)
  expect(told).toEqual([])
  const bobs = instance({ id: 'c', port: 4002, clks: ['alice'], owner: 'bob' })
  await expect(registry.register(bobs)).rejects.toMatchObject({ code: 'ERR_WAYBILL_TAG_OWNED' })
})

describe('what is in the folder is not believed', () => {
  const lease = (fields: object): string =>
    JSON.stringify({ token: 't', process: ownMark(), instance: instance({ id: 'evil' }), ...fields })
  const write = (part: string, name: string, content: string | Buffer): void => {
    writeFileSync(join(folder, 'test', part, name), content, { mode: 0o600 })
  }
  const nameOf = (id: string): string => `${fileNameOf(id)}.json`

  test('hostile content is dropped and counted, and the rest is served', async () => {
    await registry.register(instance({ id: 'good' }))
    const name = nameOf('evil')
    const contents: (string | Buffer)[] = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"__proto__":{"polluted":true}}',
      lease({ process: { ...ownMark(), pid: -1 } }),
      lease({ process: { ...ownMark(), pid: 'all' } }),
      lease({ instance: instance({ id: 'evil', host: '169.254.1.1' }) }),
      lease({ instance: { ...instance({ id: 'evil' }), surprise: 1 } }),
      lease({ instance: instance({ id: 'evil\r\nx: y' }) }),
      lease({ instance: instance({ id: 'other', clks: [] }) }),
      // In the wrong folder it would be seen by those who should not.
      lease({ instance: instance({ id: 'evil', clks: ['alice'], owner: 'alice' }) }),
      Buffer.alloc(FILE_BYTES + 1, ' '),
      Buffer.from([0xff, 0xfe, 0x00]),
    ]
    for (const content of contents) {
      const before = registry.dropped
      write('baseline', name, content)
      await vi.waitFor(() => expect(registry.dropped).toBe(before + 1), { timeout: 3_000 })
      rmSync(join(folder, 'test/baseline', name))
      await setTimeout(30)
    }
    expect(candidates()).toEqual(['good'])
    expect({}).not.toHaveProperty('polluted')
  }, 30_000)

  test('a link, a pipe and a file that others may write are no leases', async () => {
    const outside = join(folder, 'outside.json')
    writeFileSync(outside, lease({}))
    symlinkSync(outside, join(folder, 'test/baseline', nameOf('evil')))
    execFileSync('mkfifo', [join(folder, 'test/baseline', nameOf('pipe'))])
    write('baseline', nameOf('open'), lease({ instance: instance({ id: 'open' }) }))
    chmodSync(join(folder, 'test/baseline', nameOf('open')), 0o666)
    await vi.waitFor(() => expect(registry.dropped).toBeGreaterThanOrEqual(3), { timeout: 3_000 })
    expect(candidates()).toEqual([])
  })

  test('a tagged lease without the claim is no candidate of its tag', async () => {
    await registry.register(instance({ id: 'a', clks: ['alice'], owner: 'alice' }))
    const mallorys = instance({ id: 'evil', port: 4001, clks: ['alice'], owner: 'mallory' })
    write('developers', nameOf('evil'), lease({ instance: mallorys }))
    await vi.waitFor(() => expect(registry.index('inventory').size).toBe(2), { timeout: 3_000 })
    const { instance: chosen } = select([...registry.index('inventory')], { clk: 'none' })
    expect(chosen).toBeUndefined()
    expect(registry.index('inventory').holderOf('alice')).toBe('alice')
    const shelf = registry.index('inventory').view().tags.get('alice')
    expect([...(shelf ?? [])].map(({ instance: { id } }) => id)).toEqual(['a'])
  })

  test('a claim that cannot be read is free', async () => {
    write('claims', 'alice@7.json', 'garbage')
    const registered = await registry.register(instance({ id: 'a', clks: ['alice'], owner: 'alice' }))
    expect(registered.state).toBe('held')
    expect(registry.index('inventory').holderOf('alice')).toBe('alice')
  })
})

describe('a folder that others could write is refused', () => {
  const thrownBy = (act: () => void): unknown => {
    try {
      act()
      return undefined
    } catch (error) {
      return error
    }
  }
  const refusal = (path: string): unknown =>
    thrownBy(() => {
      directoryRegistry({ path }).open('test')
    })
  const unsafe = (why: RegExp): object => ({
    code: 'ERR_WAYBILL_REGISTRY_UNSAFE',
    facts: { why: expect.stringMatching(why) },
  })

  const unusable = (why: RegExp): object => ({
    code: 'ERR_WAYBILL_REGISTRY',
    facts: { why: expect.stringMatching(why) },
    cause: expect.objectContaining({ code: expect.any(String) }),
  })

  /** Only root can give a folder away; anybody else is taken for another user instead. */
  const makeForeign = (path: string): string => {
    const own = process.getuid?.() ?? 0
    if (own === 0) chownSync(path, 4242, 4242)
    else {
      const another = vi.spyOn(process, 'getuid').mockReturnValue(own + 1)
      onTestFinished(() => another.mockRestore())
    }
    return String(statSync(path).uid)
  }

  test('in a folder where others may replace it, but not in one like /tmp', () => {
    const [parent, path] = [join(folder, 'parent'), join(folder, 'parent/run')]
    mkdirSync(parent)
    for (const mode of [0o777, 0o770, 0o702]) {
      chmodSync(parent, mode)
      expect(refusal(path)).toMatchObject(unsafe(/lies in .*parent, where others may replace it/))
    }
    for (const mode of [0o1777, 0o755]) {
      chmodSync(parent, mode)
      expect(refusal(path)).toBeUndefined()
    }
  })

  test('writable by group or others', () => {
    for (const mode of [0o777, 0o720, 0o702]) {
      chmodSync(folder, mode)
      expect(refusal(folder)).toMatchObject(unsafe(/written by others/))
    }
    chmodSync(folder, 0o700)
    expect(refusal(folder)).toBeUndefined()
    chmodSync(join(folder, 'test/claims'), 0o722)
    expect(refusal(folder)).toMatchObject(unsafe(/written by others/))
    chmodSync(join(folder, 'test/claims'), 0o700)
  })

  test('a link, a file, and what cannot be made', () => {
    symlinkSync(folder, join(folder, 'link'))
    expect(refusal(join(folder, 'link'))).toMatchObject(unsafe(/symbolic link/))
    writeFileSync(join(folder, 'file'), '')
    expect(refusal(join(folder, 'file'))).toMatchObject(unusable(/EEXIST/))
    expect(refusal(join(folder, 'file/below'))).toMatchObject(unusable(/ENOTDIR/))
  })

  test("another user's", () => {
    const theirs = join(folder, 'theirs')
    mkdirSync(theirs, { mode: 0o700 })
    const user = makeForeign(theirs)
    expect(refusal(theirs)).toMatchObject(unsafe(new RegExp(`belongs to user ${user}`)))
    const below = thrownBy(() => {
      safeParent(join(theirs, 'run'))
    })
    expect(below).toMatchObject(unsafe(new RegExp(`lies in .*belongs to user ${user}`)))
  })

  test('what it makes is for its user alone', () => {
    const made = join(folder, 'deep/er')
    expect(refusal(made)).toBeUndefined()
    for (const part of ['', 'test', 'test/baseline', 'test/developers', 'test/claims', 'test/ids']) {
      expect(statSync(join(made, part)).mode & 0o777).toBe(0o700)
    }
  })
})

test('a name that would lead out of the folder is no environment', () => {
  for (const environment of ['..', 'a/b', '', 'a\0b']) {
    expect(() => {
      directoryRegistry({ path: folder }).open(environment)
    }).toThrow(/ERR_WAYBILL_REGISTRY/)
  }
})

const race = async (racers: readonly ScriptProcess[], rounds: number, keep = false): Promise<number[]> => {
  const at = Date.now() + 200
  const results = await Promise.all(
    racers.map((racer, at_) =>
      racer.ask({ race: { owner: `owner-${String(at_)}`, rounds, at, everyMs: 15, keep } }),
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
  { timeout: 120_000 },
  async () => {
    const racers = await Promise.all([start(), start()])
    expect(await race(racers, 200)).toEqual(new Array<number>(200).fill(1))
  },
)

test(
  'routing-60: a tag whose owner died has exactly one taker, in 200 of 200 races',
  { timeout: 120_000 },
  async () => {
    const dead = await start()
    expect(await race([dead], 200, true)).toEqual(new Array<number>(200).fill(1))
    await dead.end('SIGKILL')
    const racers = await Promise.all([start(), start()])
    expect(await race(racers, 200)).toEqual(new Array<number>(200).fill(1))
  },
)

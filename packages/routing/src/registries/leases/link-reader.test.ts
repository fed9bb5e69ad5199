import { fakeClock } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { ciInstance, instanceOf, taggedInstance } from '../../fixtures/instance-of.js'
import { ManualTurns } from '../../fixtures/manual-turns.js'
import type { Instance } from '../../instance.js'
import { RegistryView } from '../../registry-view.js'
import { Sliced } from '../../sliced.js'
import { BackOff } from './back-off.js'
import type { LeaseLink, LinkListener } from './lease-link.js'
import { LinkReader } from './link-reader.js'

const TTL_MS = 15_000

/** A reader for whom a slice is over with the first look at the clock, and so every slice is four steps. */
function world() {
  const clock = fakeClock()
  const turns = new ManualTurns()
  const view = new RegistryView({ environment: 'test', clock, leaseMs: TTL_MS })
  const listeners: LinkListener[] = []
  const asked = { resyncs: 0 }
  const link = {
    ttlMs: TTL_MS,
    connect(_environment: string, listener: LinkListener) {
      listeners.push(listener)
      return { resync: () => void (asked.resyncs += 1), close: () => {} }
    },
  } as unknown as LeaseLink
  const sliced = new Sliced({
    now: () => {
      turns.pass(1)
      return turns.now()
    },
    next: (slice) => turns.next(slice),
  })
  const reader = new LinkReader({
    link,
    clock,
    view,
    environment: 'test',
    backOff: new BackOff(() => 0),
    sliced,
  })
  reader.start()
  const index = view.index('inventory')
  const told: string[] = []
  view.watch('inventory', ({ kind, instance }) => told.push(`${kind} ${instance.id}`))
  return {
    clock,
    turns,
    view,
    index,
    reader,
    told,
    asked,
    server: (): LinkListener => listeners.at(-1) as LinkListener,
    ids: (): readonly string[] => [...index].map(({ id }) => id),
    holds: (instances: Iterable<Instance>, size = 1_000): void => {
      const holders = new Map([['alice', 'alice@mac']])
      listeners.at(-1)?.snapshot({ size, instances, holders })
    },
    settle: (): number => {
      let slices = 0
      while (turns.take()) slices += 1
      return slices
    },
    isReady: async (): Promise<boolean> => {
      const ready = reader.ready().then(() => true)
      return Promise.race([ready, new Promise<false>((resolve) => setImmediate(resolve, false))])
    },
  }
}

const some = (count: number, from = 1): Instance[] =>
  Array.from({ length: count }, (_, n) => ciInstance(n + from))

test('a small snapshot is there at once, a large one slice by slice, and ready waits for the whole', async () => {
  const small = world()
  small.holds(some(10), 10)
  expect(small.index.size).toBe(10)
  expect(small.turns.waiting).toBe(0)
  const { holds, index, turns, settle, isReady } = world()
  holds(some(300))
  expect(index.size).toBe(0)
  expect(await isReady()).toBe(false)
  while (index.size < 150) turns.take()
  expect(await isReady()).toBe(false)
  expect(settle()).toBeGreaterThan(10)
  expect(index.size).toBe(300)
  expect(await isReady()).toBe(true)
})

test('a large snapshot without change publishes nothing and makes no new record', () => {
  const { holds, index, settle, told } = world()
  holds(some(300))
  settle()
  told.length = 0
  const before = [...index]
  const generation = index.generation
  holds(JSON.parse(JSON.stringify(before)) as Instance[])
  settle()
  expect(told).toEqual([])
  expect(index.generation).toBe(generation)
  expect([...index].every((instance, at) => instance === before[at])).toBe(true)
})

test('nothing leaves before the snapshot has been heard to its end', () => {
  const { holds, ids, turns, told, settle, index } = world()
  holds([...some(300), taggedInstance('alice')])
  settle()
  told.length = 0
  // Half of the untagged and the only tagged one are missing: that is seen at the end only.
  let heard = false
  const half = function* (): Generator<Instance> {
    yield* some(150)
    heard = true
  }
  holds(half())
  while (!heard) {
    expect(told).toEqual([])
    turns.take()
  }
  expect(ids()).toHaveLength(301)
  settle()
  expect(told).toEqual(['removed alice'])
  expect([index.size, index.held]).toEqual([300, true])
})

test('a newer snapshot takes the place of the one that is being taken in, and nothing is lost', () => {
  const { holds, ids, turns, told, settle } = world()
  holds(some(300))
  settle()
  told.length = 0
  const moved = instanceOf({ ...ciInstance(1), host: '10.0.0.1' })
  holds([moved, ...some(299, 2), ciInstance(400)])
  for (let turn = 0; turn < 10; turn += 1) turns.take()
  holds([...some(298, 3), ciInstance(500), moved])
  settle()
  expect([...told].sort()).toEqual(['added ci500', 'changed ci1', 'removed ci2'])
  expect([...ids()].sort()).toEqual([...some(298, 3), ciInstance(500), moved].map(({ id }) => id).sort())
})

test('what changes meanwhile waits for the snapshot, in its order', async () => {
  const { holds, server, ids, index, settle, told } = world()
  holds(some(300))
  server().changed({ put: [ciInstance(301)], remove: ['ci1'] })
  server().changed({ put: [ciInstance(1, { weight: 2 })] })
  expect(told).toEqual([])
  settle()
  expect(ids()).toHaveLength(301)
  expect(index.get('ci1')?.weight).toBe(2)
  expect(told.slice(-3)).toEqual(['removed ci1', 'added ci301', 'added ci1'])
  server().changed({ remove: ['ci2'] })
  expect(index.get('ci2')).toBeUndefined()
})

test('a change of very many at once is taken in slices too', () => {
  const { holds, server, index, settle, turns } = world()
  holds(some(10), 10)
  server().changed({ put: some(300, 11) })
  expect(turns.waiting).toBe(1)
  server().changed({ remove: ['ci11'] })
  expect(settle()).toBeGreaterThan(10)
  expect(index.size).toBe(309)
})

test('a connection that breaks meanwhile leaves the rest to the next one', () => {
  const { holds, server, index, turns, settle, clock } = world()
  holds(some(300))
  while (index.size < 100) turns.take()
  server().changed({ remove: ['ci1'] })
  server().broken(new Error('gone'))
  expect(turns.waiting).toBe(0)
  expect(index.stale).toBe(true)
  clock.advance(60_000)
  holds(some(300))
  settle()
  expect([index.size, index.stale]).toEqual([300, false])
})

test('nothing is asked for again while a snapshot is being taken in', () => {
  const { holds, asked, clock, settle } = world()
  holds(some(300))
  clock.advance(TTL_MS)
  expect(asked.resyncs).toBe(0)
  settle()
  clock.advance(TTL_MS)
  expect(asked.resyncs).toBe(1)
})

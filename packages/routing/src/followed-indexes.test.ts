import type { ParentLine } from '@waybill/core/adapter'
import { fakeClock } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { instanceOf } from './fixtures/instance-of.js'
import { FollowedIndexes } from './followed-indexes.js'
import { memoryRegistry } from './registries/memory.js'
import { ServiceIndex } from './service-index.js'
import { SharedIndexes } from './shared-indexes.js'

/** Both ends in one thread, over a line that clones as the real one does. */
function ends(index: ServiceIndex): {
  follower: FollowedIndexes
  asked: { pieces: number }[]
  clock: ReturnType<typeof fakeClock>
  line: { silent: boolean }
} {
  let version = 0
  const line = { silent: false }
  const asked: { pieces: number }[] = []
  const shared = new SharedIndexes(() => (version += 1))
  const parent: ParentLine = {
    version: () => version,
    async ask(question, take) {
      if (line.silent) return new Promise(() => {})
      const count = { pieces: 0 }
      asked.push(count)
      for await (const piece of shared.answer(structuredClone(question), 'memory', async () => index)) {
        count.pieces += 1
        take(structuredClone(piece))
      }
    },
  }
  const clock = fakeClock()
  return { follower: new FollowedIndexes('test', parent, clock, 1), asked, clock, line }
}

const stock = (id: string, more: object = {}) => instanceOf({ id, service: 'stock', ...more })
const ids = (index: Iterable<{ id: string }>): string[] => [...index].map(({ id }) => id).sort()

test('a worker knows what the parent knows, asks nothing while nothing changes, and then for the change alone', async () => {
  const index = new ServiceIndex('stock', { environment: 'test' })
  for (let at = 0; at < 1_000; at += 1) index.put(stock(`n${String(at)}`, { port: 1000 + at }))
  const { follower, asked } = ends(index)
  const seen = await follower.current('stock', undefined)
  expect(seen.size).toBe(1_000)
  expect(await follower.current('stock', undefined)).toBe(seen)
  expect(asked).toEqual([{ pieces: 6 }])

  index.delete('n7')
  index.put(stock('new', { port: 9000 }))
  index.stale = true
  await follower.current('stock', undefined)
  expect(asked[1]).toEqual({ pieces: 2 })
  expect([seen.size, seen.get('n7'), seen.get('new')?.port, seen.stale]).toEqual([
    1_000,
    undefined,
    9000,
    true,
  ])
})

test('who is too far behind is told everything, and forgets what has gone', async () => {
  const index = new ServiceIndex('stock', { environment: 'test' })
  index.put(stock('old', { port: 1 }))
  const { follower } = ends(index)
  const seen = await follower.current('stock', undefined)
  index.delete('old')
  for (let at = 0; at < 5_000; at += 1) index.put(stock('n', { port: 1 + at }))
  await follower.current('stock', undefined)
  expect(ids(seen)).toEqual(['n'])
})

test('a tag counts only for its holder, in the worker as well', async () => {
  const index = new ServiceIndex('stock', { environment: 'test', claimed: true })
  index.put(stock('a', { clks: 'alice', owner: 'alice@a', port: 1 }))
  const { follower } = ends(index)
  const seen = await follower.current('stock', undefined)
  expect(seen.provider('a')?.standing?.serves).toEqual([])
  index.hold('alice', 'alice@a')
  await follower.current('stock', undefined)
  expect(seen.provider('a')?.standing?.serves).toEqual(['alice'])
})

test('an untagged instance at an address that another service has tagged is no candidate there', async () => {
  const registry = memoryRegistry({
    instances: [
      stock('b', { port: 7 }),
      instanceOf({ id: 'p', service: 'pay', port: 7, clks: 'alice', owner: 'a' }),
    ],
  })
  registry.open('test')
  const { follower } = ends(registry.index('stock'))
  expect(ids(await follower.current('stock', undefined))).toEqual([])
})

test('a parent that is busy holds up one call for a moment; the others go by what is known, as stale', async () => {
  const index = new ServiceIndex('stock', { environment: 'test' })
  index.put(stock('a', { port: 1 }))
  const { follower, line } = ends(index)
  const seen = await follower.current('stock', undefined)
  line.silent = true
  index.put(stock('b', { port: 2 }))
  await follower.current('stock', undefined)
  await follower.current('stock', undefined)
  expect([ids(seen), seen.stale]).toEqual([['a'], true])
})

test('a call that is given up while nothing is known ends with its own reason', async () => {
  const { follower, line } = ends(new ServiceIndex('stock'))
  line.silent = true
  const reason = new Error('too late')
  const call = follower.current('stock', AbortSignal.abort(reason))
  await expect(call).rejects.toBe(reason)
  const controller = new AbortController()
  const later = follower.current('stock', controller.signal)
  controller.abort(reason)
  await expect(later).rejects.toBe(reason)
})

test('what the parent forgot to tell is asked for after a while', async () => {
  const index = new ServiceIndex('stock', { environment: 'test' })
  const { follower, asked, clock } = ends(index)
  await follower.current('stock', undefined)
  clock.advance(30_000)
  await follower.current('stock', undefined)
  expect(asked).toHaveLength(2)
})

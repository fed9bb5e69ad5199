import { Cron } from 'croner'
import DataLoader from 'dataloader'
import { createPool } from 'generic-pool'
import { schedule } from 'node-cron'
import pLimit from 'p-limit'
import PQueue from 'p-queue'
import { bindWaybill, createKit, tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { describe, expect, test } from 'vitest'

// None of these has an adapter: what docs/timers-and-pools.md advises is tried on every version of Node.
const kit = createKit({ service: 'order', environment: 'test', clks: 'own' })
const TAGS = ['alice', 'bob', 'carol']

const clk = (): string | undefined => tryCurrentWaybill()?.clk
const clkLater = (): Promise<string | undefined> => Promise.resolve(clk())
const forEachTag = <T>(fn: (tag: string) => Promise<T>): Promise<T[]> =>
  Promise.all(TAGS.map((clk) => withWaybill({ clk }, () => fn(clk))))

type Wrap = (fn: () => void) => () => void
const bare: Wrap = (fn) => fn
const detached: Wrap = (fn) => kit.detached(fn)

describe('cron libraries call a job in the scope in which it was made', () => {
  const jobs: Readonly<Record<string, (job: () => void) => { stop(): unknown }>> = {
    croner: (job) => new Cron('* * * * * *', job),
    'node-cron': (job) => schedule('* * * * * *', job),
  }

  test.each(Object.entries(jobs))('%s: bare the maker’s, detached the root waybill', async (_, start) => {
    const first = (wrap: Wrap): Promise<unknown> =>
      new Promise((resolve) => {
        const job = start(wrap(() => resolve(clk())))
        ends.push(() => void job.stop())
      })
    const ends: (() => void)[] = []
    const seen = await withWaybill({ clk: 'alice' }, () => Promise.all([first(bare), first(detached)]))
    for (const end of ends) end()
    expect(seen).toEqual(['alice', 'own'])
  })
})

describe('limiters', () => {
  test('p-limit runs what has waited in its caller’s scope', async () => {
    const limit = pLimit(1)
    expect(await forEachTag(() => limit(clkLater))).toEqual(TAGS)
  })

  test('p-queue runs it in that of the task that made way; bound, in its caller’s', async () => {
    const queue = new PQueue({ concurrency: 1 })
    expect(await forEachTag(() => queue.add(clkLater))).toEqual(['alice', 'alice', 'alice'])
    expect(await forEachTag(() => queue.add(bindWaybill(clkLater)))).toEqual(TAGS)
  })
})

test('context graph-gophers/dataloader#80 a DataLoader’s batch is the first loader’s; detached, nobody’s', async () => {
  const batch = (keys: readonly string[]): Promise<unknown[]> => Promise.resolve(keys.map(() => clk()))
  const load = (loader: DataLoader<string, unknown>): Promise<unknown[]> =>
    forEachTag((tag) => loader.load(tag))
  expect(await load(new DataLoader(batch))).toEqual(['alice', 'alice', 'alice'])
  expect(await load(new DataLoader(kit.detached(batch)))).toEqual(['own', 'own', 'own'])
  expect(await forEachTag((tag) => new DataLoader(batch).load(tag))).toEqual(TAGS)
})

test('context oven-sh/bun PR#43652 a generic-pool of one: who waits keeps her own, what it makes is the first one’s or nobody’s', async () => {
  const create = (): Promise<{ madeBy: unknown }> => Promise.resolve({ madeBy: clk() })
  for (const [make, madeBy] of [[create, 'alice'] as const, [kit.detached(create), 'own'] as const]) {
    const pool = createPool({ create: make, destroy: () => Promise.resolve() }, { max: 1 })
    const first = await withWaybill({ clk: 'alice' }, () => pool.acquire())
    const waiting = forEachTag(() => pool.use(clkLater))
    await withWaybill({ clk: 'releaser' }, () => pool.release(first))
    expect(await waiting).toEqual(TAGS)
    expect(first.madeBy).toBe(madeBy)
    await pool.drain()
    await pool.clear()
  }
})

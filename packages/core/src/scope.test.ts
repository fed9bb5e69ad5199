import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  bindShardKey,
  bindWaybill,
  createKit,
  currentWaybill,
  runWithWaybill,
  tryCurrentWaybill,
} from './index.js'
import { installScopeStore, type ScopeStore } from './scope.js'
import { withWaybill } from './testing.js'
import type { WaybillRecord } from './waybill.js'

const clk = (): string | undefined => tryCurrentWaybill()?.clk

describe('outside of any scope', () => {
  test('context honojs/hono#3944 tryCurrentWaybill() is undefined, currentWaybill() throws what to do', () => {
    expect(tryCurrentWaybill()).toBeUndefined()
    expect(() => currentWaybill()).toThrow(
      expect.objectContaining({
        code: 'ERR_WAYBILL_NO_SCOPE',
        remedy: expect.stringContaining('inbound adapter'),
      }),
    )
    expect(() => bindShardKey('7')).toThrow(expect.objectContaining({ code: 'ERR_WAYBILL_NO_SCOPE' }))
  })

  test('what was bound there runs in none, whoever calls it', () => {
    const bound = bindWaybill(clk)
    expect(withWaybill({ clk: 'me' }, bound)).toBeUndefined()
  })

  test('what is no waybill is refused', () => {
    for (const other of [undefined, null, {}, { clk: 'alice' }, 'alice']) {
      expect(() => runWithWaybill(other as never, clk)).toThrow(
        expect.objectContaining({ code: 'ERR_WAYBILL_INVALID_VALUE' }),
      )
    }
  })
})

describe('a scope', () => {
  test('returns what fn returns, throws what it throws, and ends', () => {
    expect(withWaybill({ clk: 'me' }, clk)).toBe('me')
    expect(() =>
      withWaybill({ clk: 'me' }, () => {
        throw new Error('mine')
      }),
    ).toThrow('mine')
    expect(clk()).toBeUndefined()
  })

  test('context nodejs/node#45848 set in one step of a promise chain, read in the next, beside another store', async () => {
    const foreign = new AsyncLocalStorage<string>()
    const seen = await foreign.run('theirs', () =>
      withWaybill({ clk: 'me' }, () =>
        Promise.resolve()
          .then(() => bindShardKey('7'))
          .then(() => [clk(), currentWaybill().shardKey, foreign.getStore()]),
      ),
    )
    expect(seen).toEqual(['me', '7', 'theirs'])
    expect([clk(), foreign.getStore()]).toEqual([undefined, undefined])
  })

  test('context Jeff-Lewis/cls-hooked#63 two runs in turn share nothing', async () => {
    await withWaybill({ clk: 'a' }, async () => {
      await Promise.resolve()
      bindShardKey('a')
    })
    await withWaybill({}, async () => {
      await Promise.resolve()
      expect([clk(), currentWaybill().shardKey]).toEqual([undefined, undefined])
    })
  })

  test('D2-14 it reaches timers, microtasks, ticks and immediates', async () => {
    const seen = await withWaybill({ clk: 'me' }, () =>
      Promise.all([
        new Promise((resolve) => setTimeout(() => resolve(clk()), 1)),
        new Promise((resolve) => setImmediate(() => resolve(clk()))),
        new Promise((resolve) => process.nextTick(() => resolve(clk()))),
        new Promise((resolve) => queueMicrotask(() => resolve(clk()))),
      ]),
    )
    expect(seen).toEqual(['me', 'me', 'me', 'me'])
  })

  test('context nodejs/node#32578 there is one: entering the inner leaves the outer for its time, and no other store', () => {
    withWaybill({ clk: 'outer' }, () => {
      expect(withWaybill({ clk: 'inner' }, clk)).toBe('inner')
      expect(clk()).toBe('outer')
    })
  })
})

test('context open-telemetry/opentelemetry-js#6088 a subscriber of a channel has the waybill of the publisher', () => {
  const seen: unknown[] = []
  const look = (): void => void seen.push(clk())
  const tracing = channel('not-of-the-kit')
  withWaybill({ clk: 'subscriber' }, () => {
    tracing.subscribe(look)
  })
  withWaybill({ clk: 'publisher' }, () => {
    tracing.publish({})
  })
  tracing.publish({})
  tracing.unsubscribe(look)
  expect(seen).toEqual(['publisher', undefined])
})

describe('context nodejs/help#3041 a hook of the test runner', () => {
  beforeEach(() => {
    withWaybill({ clk: 'hook' }, () => {})
  })

  test('is not seen by the test; wrapping the body is', () => {
    expect(clk()).toBeUndefined()
    expect(withWaybill({ clk: 'me' }, clk)).toBe('me')
  })
})

describe('emitters, queues and pools', () => {
  test('context nodejs/node#33723 a listener runs in the scope of the emitter; bound, in that of the subscriber', () => {
    const emitter = new EventEmitter()
    const seen: unknown[] = []
    withWaybill({ clk: 'a' }, () => {
      emitter.on('x', () => seen.push(clk()))
      emitter.on(
        'x',
        bindWaybill(() => seen.push(clk())),
      )
    })
    withWaybill({ clk: 'b' }, () => emitter.emit('x'))
    expect(seen).toEqual(['b', 'a'])
  })

  test('context redis/node-redis#2432 a queue of commands: a bound callback has the waybill of its caller', () => {
    const queue: (() => void)[] = []
    const command = (callback: () => void): void => void queue.push(callback)
    const seen: unknown[] = []
    withWaybill({ clk: 'a' }, () => command(bindWaybill(() => seen.push(clk()))))
    withWaybill({ clk: 'b' }, () => command(bindWaybill(() => seen.push(clk()))))
    withWaybill({ clk: 'socket' }, () => queue.forEach((reply) => reply()))
    expect(seen).toEqual(['a', 'b'])
  })

  test('context oven-sh/bun PR#43652 a pool of one: who waits keeps her own waybill, awaited or bound', async () => {
    let release: () => void = () => {}
    const waiting: (() => void)[] = []
    const acquire = (callback: () => void): void => void waiting.push(callback)
    const acquired = withWaybill({ clk: 'a' }, async () => {
      await new Promise<void>((resolve) => acquire(resolve))
      return clk()
    })
    const bound = new Promise((resolve) => {
      withWaybill({ clk: 'a' }, () => acquire(bindWaybill(() => resolve(clk()))))
    })
    const bare = new Promise((resolve) => {
      withWaybill({ clk: 'a' }, () => acquire(() => resolve(clk())))
    })
    withWaybill({ clk: 'b' }, () => {
      release = () => waiting.forEach((next) => next())
      release()
    })
    expect(await Promise.all([acquired, bound, bare])).toEqual(['a', 'a', 'b'])
  })

  test("context graph-gophers/dataloader#80 a batch that is detached is nobody's, never the first loader's", async () => {
    const kit = createKit({ service: 'order', environment: 'test' })
    const batchOf = (fn: (keys: string[]) => unknown): ((key: string) => Promise<unknown>) => {
      let keys: string[] = []
      let batch: Promise<unknown> | undefined
      return (key) => {
        keys.push(key)
        batch ??= Promise.resolve().then(() => {
          const all = keys
          keys = []
          batch = undefined
          return fn(all)
        })
        return batch
      }
    }
    const load = batchOf(kit.detached((keys) => [keys.length, clk(), currentWaybill().shardKey]))
    const results = await Promise.all([
      withWaybill({ clk: 'a', shardKey: '1' }, () => load('x')),
      withWaybill({ clk: 'b', shardKey: '2' }, () => load('y')),
    ])
    expect(results).toEqual([
      [2, undefined, undefined],
      [2, undefined, undefined],
    ])
  })

  test('S0-4 work that is handed to a queue takes key and tag along', async () => {
    const jobs: (() => unknown)[] = []
    withWaybill({ clk: 'a', shardKey: '1' }, () =>
      jobs.push(bindWaybill(() => [clk(), currentWaybill().shardKey])),
    )
    withWaybill({ shardKey: '2' }, () => jobs.push(bindWaybill(() => [clk(), currentWaybill().shardKey])))
    expect(jobs.map((job) => job())).toEqual([
      ['a', '1'],
      [undefined, '2'],
    ])
  })

  test('a bound function passes this, arguments and result', () => {
    const bound = withWaybill({ clk: 'me' }, () =>
      bindWaybill(function (this: { x: number }, ...args: number[]) {
        return [clk(), this.x, ...args]
      }),
    )
    expect(bound.call({ x: 1 }, 2, 3)).toEqual(['me', 1, 2, 3])
  })
})

describe('another store in the place of the own one', () => {
  test('is used by all, and its undo restores the very same', () => {
    const entered: unknown[] = []
    const undo = installScopeStore((own: ScopeStore) => ({
      current: () => own.current(),
      run<T>(waybill: WaybillRecord | undefined, fn: () => T): T {
        entered.push(waybill?.clk)
        return own.run(waybill, fn)
      },
    }))
    expect(withWaybill({ clk: 'me' }, clk)).toBe('me')
    undo()
    undo()
    expect(withWaybill({ clk: 'you' }, clk)).toBe('you')
    expect(entered).toEqual(['me'])
  })

  test('undone in the order of installing, none is left', () => {
    const entered: string[] = []
    const noting = (name: string) => (own: ScopeStore) => ({
      current: () => own.current(),
      run<T>(waybill: WaybillRecord | undefined, fn: () => T): T {
        entered.push(name)
        return own.run(waybill, fn)
      },
    })
    const undos = ['first', 'second'].map((name) => installScopeStore(noting(name)))
    undos[0]?.()
    withWaybill({}, clk)
    expect(entered).toContain('second')
    undos[1]?.()
    entered.length = 0
    withWaybill({}, clk)
    expect(entered).toEqual([])
  })

  test('one that is installed twice stays until both are undone', () => {
    let entered = 0
    let made: ScopeStore | undefined
    const undos = [1, 2].map(() =>
      installScopeStore(
        (own) =>
          (made ??= {
            current: () => own.current(),
            run(waybill, fn) {
              entered++
              return own.run(waybill, fn)
            },
          }),
      ),
    )
    undos[0]?.()
    withWaybill({}, clk)
    expect(entered).toBe(1)
    undos[1]?.()
    withWaybill({}, clk)
    expect(entered).toBe(1)
  })
})

import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { move, Piscina } from 'piscina'
import { createKit, currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { adopt, carrierOf } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bundleWorkers, type BundledWorkers } from '../../test/bundle-workers.js'
import { listen } from '../../test/loopback.js'
import { piscinaWaybill } from './index.js'

let workers: BundledWorkers
const pools: Piscina[] = []

beforeAll(async () => {
  workers = await bundleWorkers('tasks', 'bare-task', 'broken')
})
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.destroy()))
})
afterAll(() => {
  workers.dispose()
})

const kit = createKit({ service: 'order', environment: 'test' })

function poolOf(file = 'tasks', options: object = {}): Piscina {
  const pool = new Piscina({ filename: workers.path(file), minThreads: 1, maxThreads: 1, ...options })
  pools.push(pool)
  return pool
}
const wrapped = (file?: string, options?: object): Piscina => piscinaWaybill(kit, poolOf(file, options))

describe('a task', () => {
  test('piscinajs/piscina#840 runs in the waybill of its submitter, at the same depth', async () => {
    const pool = wrapped()
    const seen = await withWaybill({ clk: 'me', shardKey: '42', depth: 3 }, () => pool.run({ see: 0 }))
    expect(seen).toEqual({ clk: 'me', shardKey: '42', depth: 3 })
  })

  test('open-telemetry/opentelemetry-js#3297 #3529 its calls carry it, and no member of others', async () => {
    const server = createServer((req, res) => res.end(JSON.stringify(req.headers)))
    const port = await listen(server)
    const own = createKit({
      service: 'order',
      environment: 'test',
      services: { stock: { hosts: [`127.0.0.1:${String(port)}`] } },
    })
    const pool = piscinaWaybill(own, poolOf())
    const arrival = {
      kind: 'http' as const,
      inbound: 'peer' as const,
      carrier: carrierOf({ baggage: 'clk=me,shard-key=42,waybill-depth=1,a=1' }),
      peer: { remoteAddress: '127.0.0.1' },
      method: undefined,
      url: undefined,
    }
    const headers: unknown = await adopt(kit, arrival).run(() =>
      pool.run({ fetch: `http://127.0.0.1:${String(port)}/` }),
    )
    server.closeAllConnections()
    server.close()
    expect(headers).toMatchObject({
      clk: 'me',
      'x-shard-key': '42',
      baggage: 'clk=me,shard-key=42,waybill-depth=2',
    })
  })

  test('SUCHMOKUO/node-worker-threads-pool#54 a hundred callers, each continuation in its own', async () => {
    const pool = wrapped('tasks', { maxThreads: 2, concurrentTasksPerWorker: 20 })
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        withWaybill({ clk: `t${String(index)}` }, async () => {
          const { clk } = (await pool.run({ see: index % 7 })) as { clk: string }
          return [clk, currentWaybill().clk, `t${String(index)}`]
        }),
      ),
    )
    expect(all.filter(([seen, here, own]) => seen !== own || here !== own)).toEqual([])
  })

  test('routing-39 a thread keeps nothing of the task before: a, b, none', async () => {
    const pool = wrapped()
    const clk = async (): Promise<unknown> => ((await pool.run({ see: 0 })) as { readonly clk?: unknown }).clk
    const seen = [
      await withWaybill({ clk: 'a' }, clk),
      await withWaybill({ clk: 'b' }, clk),
      await withWaybill({}, clk),
    ]
    expect(seen).toEqual(['a', 'b', undefined])
  })

  test('alibaba/transmittable-thread-local#825 #343 #391 a continuation that another task completes is of who registered it', async () => {
    const pool = wrapped()
    let complete = (_: unknown): void => {}
    const promise = new Promise((resolve) => (complete = resolve))
    const registered = withWaybill({ clk: 'a' }, () => promise.then(() => currentWaybill().clk))
    await withWaybill({ clk: 'b' }, async () => {
      complete(await pool.run({ see: 0 }))
      await after(1)
    })
    expect(await registered).toBe('a')
  })

  test('that fails hands its error to the submitter, in its own waybill', async () => {
    const pool = wrapped()
    await withWaybill({ clk: 'me' }, async () => {
      const error: unknown = await pool.run({ fail: 'broken' }).catch((failure: unknown) => failure)
      expect(error).toBeInstanceOf(TypeError)
      expect(error).toMatchObject({ message: 'broken', cause: { clk: 'me' } })
      expect(currentWaybill().clk).toBe('me')
    })
  })

  test('an error of the kit keeps its code, facts and remedy across the thread', async () => {
    const pool = wrapped()
    await withWaybill({ clk: 'me' }, async () => {
      await expect(pool.run({ bind: '7' })).rejects.toMatchObject({
        code: 'ERR_WAYBILL_KEY_CONFLICT',
        status: 409,
        message: expect.stringContaining('[ERR_WAYBILL_KEY_CONFLICT]'),
      })
    })
  })

  test('whose worker dies is refused in its own waybill, and the next one finds another', async () => {
    const pool = wrapped()
    await withWaybill({ clk: 'me' }, async () => {
      await pool.run({ see: 0 })
      const error: unknown = await pool.run({ exit: 3 }).catch((failure: unknown) => failure)
      expect([(error as Error).message, currentWaybill().clk]).toEqual(['worker exited with code: 3', 'me'])
      expect(await pool.run({ see: 0 })).toMatchObject({ clk: 'me' })
    })
  })

  test('to a pool that was destroyed is refused, and nothing hangs', async () => {
    const pool = poolOf()
    const own = piscinaWaybill(kit, pool)
    await own.run({ see: 0 })
    const running = withWaybill({ clk: 'me' }, () =>
      own.run({ see: 60_000 }).catch((error: unknown) => [(error as Error).message, currentWaybill().clk]),
    )
    await pool.destroy()
    expect(await running).toEqual(['Terminating worker thread', 'me'])
  })

  test('outside of any request has the process’s own waybill', async () => {
    const own = createKit({ service: 'order', environment: 'test', clks: 'alice' })
    const pool = piscinaWaybill(own, poolOf())
    expect(await pool.run({ see: 0 })).toEqual({ clk: 'alice', shardKey: undefined, depth: 0 })
    createKit({ service: 'order', environment: 'test' })
  })
})

describe('the pool’s own', () => {
  test('move(value) and transfer lists still move, with the waybill beside', async () => {
    const pool = wrapped()
    await withWaybill({ clk: 'me' }, async () => {
      await pool.run({ see: 0 })
      const [moved, listed] = [new ArrayBuffer(8), new ArrayBuffer(16)]
      expect(await pool.run(move(moved) as unknown)).toEqual([8, 'me'])
      expect(await pool.run({ buffer: listed }, { transferList: [listed] })).toEqual([16, 'me'])
      expect([moved.byteLength, listed.byteLength]).toEqual([0, 0])
    })
  })

  test('names are kept: a function that is not prepared gets the bare task, and an event says so once', async () => {
    const events = recordEvents()
    const pool = wrapped()
    await withWaybill({ clk: 'me' }, async () => {
      expect(await pool.run({ n: 1 }, { name: 'named' })).toEqual([{ n: 1 }, 'me'])
      expect(await pool.run({ n: 2 }, { name: 'bare' })).toEqual({ n: 2 })
      expect(await pool.run({ n: 3 }, { name: 'bare' })).toEqual({ n: 3 })
      expect(await pool.run({ n: 4 }, { filename: workers.path('bare-task') })).toEqual({ n: 4 })
    })
    events.stop()
    expect(events.of('dropped')).toMatchObject([
      {
        direction: 'out',
        field: 'task',
        reason: 'UNPREPARED',
        remedy: expect.stringContaining('as bare of'),
      },
      { reason: 'UNPREPARED' },
    ])
  })

  test('a signal ends a task that runs, one that waits for the answer, and one that never began', async () => {
    const pool = wrapped()
    await withWaybill({ clk: 'me' }, async () => {
      const [early, waiting, late] = [AbortSignal.abort(), new AbortController(), new AbortController()]
      const runs = [
        pool.run({ see: 60_000 }, { signal: early }),
        pool.run({ see: 60_000 }, { signal: waiting.signal }),
      ].map((run) => run.catch((error: unknown) => (error as Error).name))
      waiting.abort()
      expect(await Promise.all(runs)).toEqual(['AbortError', 'AbortError'])
      await pool.run({ see: 0 })
      const running = pool.run({ see: 60_000 }, { signal: late.signal })
      late.abort()
      await expect(running).rejects.toThrow('The task has been aborted')
    })
  })

  test('a full queue refuses in the pool’s own words', async () => {
    const pool = wrapped('tasks', { maxQueue: 1 })
    await withWaybill({ clk: 'me' }, async () => {
      await pool.run({ see: 0 })
      const runs = await Promise.allSettled([
        pool.run({ see: 20 }),
        pool.run({ see: 0 }),
        pool.run({ see: 0 }),
      ])
      expect(runs.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
      expect(runs[2]).toMatchObject({ reason: { message: 'Task queue is at limit' } })
    })
  })

  test('a task queue of the application sees the options that it looks for', async () => {
    const seen: unknown[] = []
    const items: object[] = []
    const taskQueue = {
      get size() {
        return items.length
      },
      shift: () => items.shift() ?? null,
      remove: (item: object) => void items.splice(items.indexOf(item), 1),
      push(item: Record<symbol, unknown>) {
        seen.push(item[Piscina.queueOptionsSymbol])
        items.push(item)
      },
    }
    const pool = wrapped('tasks', { taskQueue })
    await withWaybill({ clk: 'me' }, async () => {
      await pool.run({ see: 0 })
      seen.splice(0)
      const first = pool.run({ see: 5 })
      const second = pool.run({ see: 0, [Piscina.queueOptionsSymbol]: { priority: 9 } })
      await Promise.all([first, second])
      expect(seen).toContainEqual({ priority: 9 })
    })
  })

  test('members, getters and disposal are the pool’s; wrapping twice is wrapping once; nothing is written to it', async () => {
    const pool = poolOf()
    const before = Object.getOwnPropertyNames(pool)
    const own = piscinaWaybill(kit, pool)
    expect(piscinaWaybill(kit, own)).toBe(own)
    expect(own).toBeInstanceOf(Piscina)
    expect([own.options, own.threads.length, own.maxThreads]).toEqual([pool.options, 1, 1])
    expect(own.on('drain', () => {})).toBe(own)
    expect(own.run).toBe(own.run)
    expect(Object.getOwnPropertyNames(pool)).toEqual(before)
    await own.close()
    const disabled = createKit({ service: 'order', environment: 'test', disabled: true })
    expect(piscinaWaybill(disabled, pool)).toBe(pool)
    createKit({ service: 'order', environment: 'test' })
  })
})

describe('while it is asked whether a function is prepared', () => {
  test('close() waits for the tasks that were handed in before, and destroy() ends them in the pool’s words', async () => {
    const [closed, destroyed] = [wrapped(), wrapped()]
    await withWaybill({ clk: 'me' }, async () => {
      const last = closed.run({ see: 0 })
      await closed.close()
      expect(await last).toMatchObject({ clk: 'me' })
      const never = destroyed.run({ see: 60_000 }).catch((error: unknown) => (error as Error).message)
      await destroyed.destroy()
      expect(await never).toBe('Terminating worker thread')
    })
  })

  test('await using waits for them as well', async () => {
    const pool = wrapped()
    const last = withWaybill({ clk: 'me' }, () => pool.run({ see: 0 }))
    await pool[Symbol.asyncDispose]()
    expect(await last).toMatchObject({ clk: 'me' })
    const using = wrapped()
    const other = withWaybill({ clk: 'me' }, () => using.run({ see: 0 }))
    using[Symbol.dispose]()
    expect(await other).toMatchObject({ clk: 'me' })
  })

  test('an emitter as a signal ends the task, in the pool’s words', async () => {
    const pool = wrapped()
    const signal = new EventEmitter()
    const run = pool.run({ see: 60_000 }, { signal })
    signal.emit('abort')
    await expect(run).rejects.toMatchObject({ name: 'AbortError', message: 'The task has been aborted' })
    expect(signal.listenerCount('abort')).toBe(0)
  })

  test('a file that cannot be loaded fails its tasks, each of them, and whoever listens to the pool still hears it', async () => {
    const pool = poolOf('broken', { minThreads: 0 })
    const heard: string[] = []
    pool.on('error', ({ message }: Error) => heard.push(message))
    const own = piscinaWaybill(kit, pool)
    for (const _task of [1, 2]) {
      await expect(withWaybill({ clk: 'me' }, () => own.run(1))).rejects.toThrow('database is down')
    }
    expect(new Set(heard)).toEqual(new Set(['database is down']))
  })

  test('a thread that dies by another task is asked again, and no task goes bare', async () => {
    const pool = poolOf('tasks', { concurrentTasksPerWorker: 2 })
    pool.on('error', () => {})
    const dies = pool.run({ exit: 3 }).catch(() => {})
    const task = withWaybill({ clk: 'me' }, () => piscinaWaybill(kit, pool).run({ see: 0 }))
    expect(await task).toMatchObject({ clk: 'me' })
    await dies
  })
})

test('the caller’s mistakes are the pool’s to refuse, in its own words', async () => {
  const pool = poolOf()
  const own = piscinaWaybill(kit, pool)
  await own.run({ see: 0 })
  const mistakes: unknown[][] = [
    [1, 5],
    [move(new ArrayBuffer(2)), 'x'],
    [1, { name: 5 }],
    [1, { name: 1n }],
    [1, { filename: new URL(import.meta.url) }],
    [move(new ArrayBuffer(2)), { transferList: 5 }],
    [1, { signal: 5 }],
  ]
  const refusal = (run: (...args: never[]) => Promise<unknown>, args: unknown[]): Promise<unknown> =>
    run(...(args as never[])).then(
      () => 'done',
      (error: unknown) => String(error),
    )
  for (const args of mistakes) {
    expect(await refusal(own.run, args)).toBe(await refusal(pool.run.bind(pool), args))
  }
})

describe('events', () => {
  test('OBS-16 run in no scope, not in the one in which the pool was made, and can be removed', async () => {
    let heard = (_: unknown): void => {}
    const first = new Promise((resolve) => (heard = resolve))
    const removed: unknown[] = []
    const pool = withWaybill({ clk: 'creator' }, () => {
      const own = wrapped()
      const listener = (message: unknown): void => void removed.push(message)
      own.on('message', listener)
      own.off('message', listener)
      own.once('message', (message: unknown) => {
        heard([message, tryCurrentWaybill()])
      })
      return own
    })
    expect(pool.listenerCount('message')).toBe(1)
    await withWaybill({ clk: 'me' }, () => pool.run({ emit: 'hello' }))
    expect(await first).toEqual(['hello', undefined])
    const last = once(pool, 'message')
    await withWaybill({ clk: 'me' }, () => pool.run({ emit: 'again' }))
    expect(await last).toEqual(['again'])
    expect(removed).toEqual([])
  })
})

test('facts, services and trust of the worker’s kit are the parent’s', async () => {
  const own = createKit({ service: 'shipping', environment: 'staging', zone: 'z1', clks: 'team.*' })
  const pool = piscinaWaybill(own, poolOf())
  expect(await pool.run({ kit: true })).toEqual({ ...own.facts })
  createKit({ service: 'order', environment: 'test' })
})

import { EventEmitter, on, once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { Readable } from 'node:stream'
import {
  scheduler,
  setImmediate as immediate,
  setInterval as intervals,
  setTimeout as after,
} from 'node:timers/promises'
import { bindShardKey, createKit, currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { memoryHop, withWaybill } from '@waybill/core/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { waybillListener } from '../node-http/index.js'
import { everyDetached } from './index.js'

const kit = createKit({ service: 'order', environment: 'test' })
const laptop = createKit({ service: 'order', environment: 'test', clks: 'alice' })
const clk = (): string | undefined => tryCurrentWaybill()?.clk

const facts = (): unknown[] => {
  const { clk, shardKey, hopCount, targetUnit, depth } = currentWaybill()
  return [clk, shardKey, hopCount, targetUnit, depth]
}
const MALLORY = { clk: 'me', shardKey: 'user-42', hopCount: 1, targetUnit: 'sz', depth: 4 }

/** Runs `turn` until it was called so often, and gives what it returned. */
async function turns<T>(
  count: number,
  turn: () => T,
  start: (turn: () => void) => NodeJS.Timeout,
): Promise<T[]> {
  const seen: T[] = []
  await new Promise<void>((resolve) => {
    const timer = start(() => {
      seen.push(turn())
      if (seen.length < count) return
      clearInterval(timer)
      resolve()
    })
  })
  return seen
}

describe('what is started once inherits, by Node itself', () => {
  test.each<[string, (then: () => void) => unknown]>([
    ['setTimeout', (then) => setTimeout(then, 1)],
    ['setImmediate', (then) => setImmediate(then)],
    ['queueMicrotask', (then) => queueMicrotask(then)],
    ['process.nextTick', (then) => process.nextTick(then)],
    ['a promise', (then) => Promise.resolve().then(then)],
    ['timers/promises setTimeout', (then) => after(1).then(then)],
    ['timers/promises setImmediate', (then) => immediate().then(then)],
    ['scheduler.wait', (then) => scheduler.wait(1).then(then)],
    ['scheduler.yield', (then) => scheduler.yield().then(then)],
  ])('%s', async (_, start) => {
    const seen = await Promise.all(
      ['a', 'b', undefined].map((tag) => {
        const call = (): Promise<unknown> => new Promise((resolve) => start(() => resolve(clk())))
        return tag === undefined ? call() : withWaybill({ clk: tag }, call)
      }),
    )
    expect(seen).toEqual(['a', 'b', undefined])
  })
})

describe('what repeats', () => {
  test('context taskforcesh/bullmq#4731 a detached loop is nobody’s: the root waybill, another request each turn', async () => {
    for (const [process, own] of [[kit, undefined] as const, [laptop, 'alice'] as const]) {
      const requests = new Set<unknown>()
      const seen = await withWaybill(MALLORY, () =>
        turns(
          3,
          () => {
            requests.add(currentWaybill())
            const found = facts()
            // Each turn may bind a key of its own: no two share a slot.
            bindShardKey(`turn-${String(requests.size)}`)
            return found
          },
          (turn) => everyDetached(process, 1, turn),
        ),
      )
      expect(seen).toEqual(Array(3).fill([own, undefined, 0, undefined, 0]))
      expect(requests.size).toBe(3)
    }
  })

  test.each([
    ['routing 40 without a word', 'alice', (turn: () => void) => setInterval(turn, 1)],
    ['routing 40 without a word', undefined, (turn: () => void) => setInterval(turn, 1)],
    ['context taskforcesh/bullmq#2942 detached', 'alice', undefined],
    ['context taskforcesh/bullmq#2942 detached', undefined, undefined],
  ])('%s: what a job calls bears the clk of its process, %s, run after run', async (_, own, bare) => {
    const process = own === undefined ? kit : laptop
    const hop = memoryHop(process, { kit: process, handler: ({ baggage }) => baggage })
    const calls: Promise<unknown>[] = []
    const job = (): unknown => calls.push(hop({ url: 'http://inventory/' }).then(({ value }) => value))
    const detached = (turn: () => void): NodeJS.Timeout => everyDetached(process, 1, turn)
    if (bare === undefined) await withWaybill(MALLORY, () => turns(3, job, detached))
    else await turns(3, job, bare)
    const baggage = own === undefined ? 'waybill-depth=1' : `clk=${own},waybill-depth=1`
    expect(await Promise.all(calls)).toEqual([baggage, baggage, baggage])
  })

  test('context taskforcesh/bullmq#4731 a bare setInterval goes on under its maker for ever', async () => {
    const seen = await withWaybill(MALLORY, () => turns(3, facts, (turn) => setInterval(turn, 1)))
    expect(seen).toEqual(Array(3).fill(['me', 'user-42', 1, 'sz', 4]))
  })

  test('with inherit each turn is under its maker’s facts, in a request of its own', async () => {
    const requests = new Set<unknown>()
    const seen = await withWaybill(MALLORY, () =>
      turns(
        2,
        () => {
          requests.add(currentWaybill())
          return facts()
        },
        (turn) => everyDetached(laptop, 1, turn, { inherit: true }),
      ),
    )
    expect(seen).toEqual(Array(2).fill(['me', 'user-42', 1, 'sz', 4]))
    expect(requests.size).toBe(2)
  })

  test.each([false, true])(
    'a disabled kit leaves nothing of its starter, neither in a turn nor around the timer: inherit %s',
    async (inherit) => {
      const off = createKit({ service: 'order', environment: 'test', disabled: true })
      const madeIn: unknown[] = []
      const make = globalThis.setInterval
      const spy = vi.spyOn(globalThis, 'setInterval').mockImplementation((fn: () => void, ms) => {
        madeIn.push(tryCurrentWaybill())
        return make(fn, ms)
      })
      onTestFinished(() => {
        spy.mockRestore()
      })
      const seen = await withWaybill(MALLORY, () =>
        turns(2, tryCurrentWaybill, (turn) => everyDetached(off, 1, turn, { inherit })),
      )
      expect([seen, madeIn]).toEqual([[undefined, undefined], [undefined]])
    },
  )

  test.each<[string, readonly unknown[]]>([
    ['kit', [undefined, 5, () => {}]],
    ['kit', [5, () => {}]],
    ['ms', [kit, () => {}, 5]],
    ['ms', [kit, '5s', () => {}]],
    ['ms', [kit, 2 ** 31, () => {}]],
    ['fn', [kit, 5]],
    ['inherits', [kit, 5, () => {}, { inherits: true }]],
    ['inherit', [kit, 5, () => {}, { inherit: 'yes' }]],
  ])('a wrong %s is told where it is handed in, and no timer is made', (option, args) => {
    const make = vi.spyOn(globalThis, 'setInterval')
    onTestFinished(() => {
      make.mockRestore()
    })
    expect(() => Reflect.apply(everyDetached, undefined, args)).toThrow(
      expect.objectContaining({
        code: 'ERR_WAYBILL_CONFIGURATION',
        facts: expect.objectContaining({ option }),
      }),
    )
    expect(make).not.toHaveBeenCalled()
  })

  test('what comes back is Node’s own timer', () => {
    const timer = everyDetached(kit, 60_000, () => {})
    expect(timer.unref().hasRef()).toBe(false)
    timer[Symbol.dispose]()
    expect((timer as unknown as { _destroyed: boolean })._destroyed).toBe(true)
  })

  test('turns overlap, as those of setInterval', async () => {
    let running = 0
    const most = await new Promise<number>((resolve) => {
      const timer = everyDetached(kit, 1, async () => {
        running++
        if (running === 2) {
          clearInterval(timer)
          resolve(running)
        }
        await new Promise(() => {})
      })
    })
    expect(most).toBe(2)
  })

  test.each<[NodeJS.UncaughtExceptionOrigin, () => unknown]>([
    [
      'uncaughtException',
      () => {
        throw new Error('of a turn')
      },
    ],
    ['unhandledRejection', () => Promise.reject(new Error('of a turn'))],
  ])('a turn that fails is an %s, and the next one comes', async (kind, fail) => {
    const others = process.listeners(kind as 'uncaughtException')
    process.removeAllListeners(kind)
    onTestFinished(() => {
      for (const other of others) process.on(kind as 'uncaughtException', other)
    })
    let count = 0
    const failed = once(process, kind)
    await new Promise<void>((resolve) => {
      const timer = everyDetached(kit, 1, () => {
        if (++count === 1) return fail()
        clearInterval(timer)
        resolve()
        return undefined
      })
    })
    expect(await failed).toMatchObject([{ message: 'of a turn' }, expect.anything()])
  })
})

describe('async iterators cannot be detached: the body of a loop keeps the scope around the loop', () => {
  const detached = kit.detached((): unknown => clk())

  async function first(items: AsyncIterable<unknown>): Promise<unknown[]> {
    for await (const _ of items) return [clk(), detached()]
    return []
  }

  test('timers/promises.setInterval', async () => {
    expect(await withWaybill({ clk: 'me' }, () => first(intervals(1)))).toEqual(['me', undefined])
  })

  test('events.on, whoever emits', async () => {
    const emitter = new EventEmitter()
    const seen = withWaybill({ clk: 'me' }, () => first(on(emitter, 'x')))
    withWaybill({ clk: 'other' }, () => emitter.emit('x'))
    expect(await seen).toEqual(['me', undefined])
  })

  test('a stream, whoever pushes', async () => {
    const stream = new Readable({ objectMode: true, read() {} })
    const seen = withWaybill({ clk: 'me' }, () => first(stream))
    withWaybill({ clk: 'other' }, () => stream.push('x'))
    expect(await seen).toEqual(['me', undefined])
  })

  test('a generator that is detached is still read in the scope of its reader', async () => {
    const ticks = kit.detached(async function* () {
      for await (const _ of intervals(1)) yield clk()
    })
    const loop = async (): Promise<unknown[]> => {
      for await (const inside of ticks()) return [inside, clk()]
      return []
    }
    expect(await withWaybill({ clk: 'me' }, loop)).toEqual(['me', 'me'])
  })
})

describe('context OBS-14 what is made in request 1 and used by request 2', () => {
  /** Asks a server twice: the first request makes something, the second makes it speak. */
  async function askTwice(handler: (answer: (text: string) => void) => void): Promise<string[]> {
    const port = await listen(
      createServer(waybillListener(laptop, (_req, res) => handler((text) => res.end(text)))),
    )
    const seen: string[] = []
    for (const tag of ['one', 'two']) seen.push((await send(port, { headers: { clk: tag } })).text)
    return seen
  }

  async function echo(): Promise<number> {
    return listen(createTcpServer((socket) => void socket.pipe(socket)))
  }

  test.each<[string, <T>(fn: () => T) => () => T, string]>([
    ['made bare: request 1’s for ever', (fn) => fn, 'one'],
    ['made detached: the root waybill', (fn) => laptop.detached(fn), 'alice'],
  ])('a socket %s', async (_, wrap, expected) => {
    const port = await echo()
    const open = wrap(() => connect(port, '127.0.0.1'))
    let socket: ReturnType<typeof connect> | undefined
    const seen = await askTwice((answer) => {
      socket ??= open()
      socket.once('data', () => answer(String(clk())))
      socket.write('x')
    })
    socket?.destroy()
    expect(seen).toEqual([expected, expected])
  })

  test.each<[string, (turn: () => void) => NodeJS.Timeout, string]>([
    ['made bare: request 1’s for ever', (turn) => setInterval(turn, 1), 'one'],
    ['of everyDetached: the root waybill', (turn) => everyDetached(laptop, 1, turn), 'alice'],
  ])('a poll loop %s', async (_, start, expected) => {
    const waiting: ((text: string) => void)[] = []
    let timer: NodeJS.Timeout | undefined
    const seen = await askTwice((answer) => {
      waiting.push(answer)
      timer ??= start(() => waiting.shift()?.(String(clk())))
    })
    clearInterval(timer)
    expect(seen).toEqual([expected, expected])
  })
})

describe('emitters', () => {
  test('context mikro-orm/mikro-orm#1907 a job that a request emits is detached where its listener is', () => {
    const emitter = new EventEmitter()
    const seen: unknown[] = []
    emitter.on('job', () => seen.push(facts()))
    emitter.on(
      'job',
      laptop.detached(() => seen.push(facts())),
    )
    withWaybill(MALLORY, () => emitter.emit('job'))
    expect(seen).toEqual([
      ['me', 'user-42', 1, 'sz', 4],
      ['alice', undefined, 0, undefined, 0],
    ])
  })
})

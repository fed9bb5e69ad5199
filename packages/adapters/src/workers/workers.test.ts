import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Worker } from 'node:worker_threads'
import { createKit, currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { WaybillError, type Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { describe, expect, test } from 'vitest'
import { startedWorkers } from '../../test/started-workers.js'
import { workerWaybill } from './index.js'

const { path, thread, child } = startedWorkers(
  'thread',
  'handler',
  'bare-thread',
  'child',
  'bare-child',
  'bare-handler',
  'tasks',
  'idle',
)

const kit = createKit({ service: 'order', environment: 'test' })

/** The next message, and in which scope its listener ran. */
const heard = (end: Worker | ChildProcess): Promise<{ message: unknown; scope: string | undefined }> =>
  new Promise((resolve) => {
    end.once('message', (message: unknown) => resolve({ message, scope: tryCurrentWaybill()?.clk }))
  })

describe.each([
  ['worker_threads', 'thread'],
  ['child_process, JSON', 'child'],
  ['child_process, advanced serialisation', 'child'],
])('%s', (title, name) => {
  const make = (): Worker | ChildProcess =>
    title === 'worker_threads'
      ? thread(name, { workerData: 'data' })
      : child(name, title.endsWith('JSON') ? {} : { serialization: 'advanced' })
  const post = (end: Worker | ChildProcess, value: unknown): unknown =>
    'postMessage' in end ? end.postMessage(value) : end.send(value as object)

  test('taskforcesh/bullmq PR#4064 a message runs in the waybill of its sender, and so does the answer', async () => {
    const end = workerWaybill(kit, make())
    const sent = withWaybill({ clk: 'me', shardKey: '42', depth: 3 }, () => {
      const answer = heard(end)
      post(end, { n: 1 })
      return answer
    })
    const { message, scope } = await sent
    expect(message).toMatchObject({ message: { n: 1 }, clk: 'me', shardKey: '42', depth: 3 })
    expect(scope).toBe('me')
  })

  test('a message that an interceptor refuses is not sent, an event says so, and nobody has to catch it', async () => {
    const refusesBob: Interceptor = (next) => (call) =>
      call.waybill.clk === 'bob' ? Promise.reject(new WaybillError('ERR_WAYBILL_NO_PROVIDER')) : next(call)
    const careful = createKit({ service: 'order', environment: 'test', interceptors: [refusesBob] })
    const unhandled: unknown[] = []
    const keep = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', keep)
    const events = recordEvents(['refused'])
    try {
      const end = workerWaybill(careful, make())
      const send = (clk: string, n: number): Promise<unknown> =>
        withWaybill({ clk }, () => {
          const answer = heard(end)
          post(end, { n })
          return answer
        })
      void send('bob', 1)
      // Before the worker has said that it is prepared, and after.
      for (const n of [2, 3]) expect(await send('me', n)).toMatchObject({ message: { message: { n } } })
      void send('bob', 4)
      expect(await send('me', 5)).toMatchObject({ message: { message: { n: 5 } } })
      expect(events.of('refused')).toMatchObject([
        { code: 'ERR_WAYBILL_NO_PROVIDER' },
        { code: 'ERR_WAYBILL_NO_PROVIDER' },
      ])
      expect(unhandled).toEqual([])
    } finally {
      events.stop()
      process.off('unhandledRejection', keep)
    }
  })

  test('messages keep their order, those before the worker has said that it is prepared and those after', async () => {
    const end = workerWaybill(kit, make())
    const all = new Promise<unknown[]>((resolve) => {
      const got: unknown[] = []
      end.on('message', ({ message, clk }: { message: number; clk: string }) => {
        got.push([message, clk, currentWaybill().clk])
        if (message === 4) withWaybill({ clk: 'late' }, () => post(end, 5))
        if (got.length === 6) resolve(got)
      })
    })
    for (let n = 0; n < 5; n += 1) withWaybill({ clk: `t${String(n)}` }, () => post(end, n))
    expect(await all).toEqual([
      ...Array.from({ length: 5 }, (_, n) => [n, `t${String(n)}`, `t${String(n)}`]),
      [5, 'late', 'late'],
    ])
  })

  test('what was sent is as it was then, however long it waits', async () => {
    const end = workerWaybill(kit, make())
    const value = { n: 1 }
    const answer = heard(end)
    withWaybill({ clk: 'me' }, () => post(end, value))
    value.n = 2
    expect((await answer).message).toMatchObject({ message: { n: 1 }, clk: 'me' })
  })

  test('OBS-16 the end of a worker that dies in mid-task is told in no scope, and nothing hangs', async () => {
    const end = withWaybill({ clk: 'creator' }, () => workerWaybill(kit, make))
    const scopes: unknown[] = []
    const over = new Promise((resolve) => end.on('exit', resolve))
    for (const event of ['exit', 'error', 'online', 'spawn']) {
      end.on(event, () => scopes.push(tryCurrentWaybill()))
    }
    withWaybill({ clk: 'me' }, () => post(end, 'die'))
    await over
    expect(scopes.length).toBeGreaterThan(1)
    expect(scopes.filter((scope) => scope !== undefined)).toEqual([])
    withWaybill({ clk: 'me' }, () => end.on('error', () => {}) && post(end, 'too late'))
  })

  test('wrapping twice is wrapping once, the host’s members are its own, and no listener stays', () => {
    const host = make()
    const end = workerWaybill(kit, host)
    expect(workerWaybill(kit, end)).toBe(end)
    expect(workerWaybill(kit, host)).toBe(end)
    const before = host.listenerCount('message')
    const listener = (): void => {}
    expect(end.on('message', listener)).toBe(end)
    end.once('message', listener)
    expect(end.off('message', listener).off('message', listener)).toBe(end)
    expect(host.listenerCount('message')).toBe(before)
    const disabled = createKit({ service: 'order', environment: 'test', disabled: true })
    expect(workerWaybill(disabled, host)).toBe(host)
    createKit({ service: 'order', environment: 'test' })
  })
})

describe.each(['bare-thread', 'bare-child'])('a worker that is not prepared (%s)', (name) => {
  const make = (): Worker | ChildProcess => (name === 'bare-thread' ? thread(name) : child(name))

  test(
    'gets bare messages, in order, after a while, and one event says so',
    { timeout: 30_000 },
    async () => {
      const events = recordEvents()
      const end = workerWaybill(kit, make())
      const all = new Promise<unknown[]>((resolve) => {
        const got: unknown[] = []
        end.on('message', (message: unknown) => {
          got.push([message, tryCurrentWaybill()])
          if (got.length === 3) resolve(got)
        })
      })
      for (const n of [1, 2, 3]) {
        withWaybill({ clk: 'me' }, () => ('postMessage' in end ? end.postMessage({ n }) : end.send({ n })))
      }
      expect(await all).toEqual([1, 2, 3].map((n) => [{ n }, undefined]))
      events.stop()
      expect(events.of('dropped')).toMatchObject([{ field: 'task', reason: 'UNPREPARED' }])
    },
  )

  test('is heard at once by what it says first, and waits for nothing then', async () => {
    const end = workerWaybill(kit, make())
    const first = once(end, 'message')
    if ('postMessage' in end) end.postMessage('no scope')
    else end.send('no scope')
    expect((await first)[0]).toBe('no scope')
    const second = once(end, 'message')
    withWaybill({ clk: 'me' }, () => ('postMessage' in end ? end.postMessage('bare') : end.send('bare')))
    expect((await second)[0]).toBe('bare')
  })
})

describe('worker_threads alone', () => {
  test('workerData belongs to whoever made the worker, and stays as it was said', async () => {
    const end = withWaybill({ clk: 'maker' }, () =>
      workerWaybill(kit, () => thread('thread', { workerData: { item: 42 } })),
    )
    const answer = heard(end)
    withWaybill({ clk: 'me' }, () => end.postMessage('x'))
    expect((await answer).message).toMatchObject({
      clk: 'me',
      started: { data: { item: 42 }, started: 'maker' },
    })
    const later = workerWaybill(kit, thread('thread', { workerData: 1 }))
    const next = heard(later)
    withWaybill({ clk: 'me' }, () => later.postMessage('x'))
    expect((await next).message).toMatchObject({ started: { data: 1, started: undefined } })
  })

  test('a handler of waybillWorker needs no wrapper and no kit in the worker', async () => {
    const end = workerWaybill(kit, thread('handler'))
    const answer = heard(end)
    withWaybill({ clk: 'me' }, () => end.postMessage('x'))
    expect(await answer).toEqual({ message: { message: 'x', clk: 'me' }, scope: undefined })
  })

  test('what is transferred is transferred, at once, and what cannot be cloned is refused where it was sent', async () => {
    const end = workerWaybill(kit, thread('thread'))
    for (const _round of ['held', 'prepared']) {
      const buffer = new ArrayBuffer(8)
      const answer = heard(end)
      withWaybill({ clk: 'me' }, () => {
        end.postMessage(buffer, [buffer])
        expect(() => {
          end.postMessage(() => {})
        }).toThrow(expect.objectContaining({ name: 'DataCloneError' }))
      })
      expect(buffer.byteLength).toBe(0)
      expect((await answer).message).toMatchObject({ message: new ArrayBuffer(8), clk: 'me' })
    }
  })
})

describe('child_process alone', () => {
  test('the callback of send runs in the scope of who sent, held or not', async () => {
    const end = workerWaybill(kit, child('child'))
    const send = (): Promise<unknown> =>
      new Promise((resolve) => {
        withWaybill({ clk: 'me' }, () =>
          end.send({ n: 1 }, (error) => {
            resolve([error, tryCurrentWaybill()?.clk])
          }),
        )
      })
    expect(await send()).toEqual([null, 'me'])
    expect(await send()).toEqual([null, 'me'])
    const over = once(end, 'disconnect')
    end.disconnect()
    await over
    const [error, scope] = (await send()) as [Error & { code?: string }, string]
    expect([error.code, scope]).toEqual(['ERR_IPC_CHANNEL_CLOSED', 'me'])
  })
})

test('a process with an idle pool and an unref’d worker ends by itself, as without the kit, and warns of nothing', async () => {
  const piscina = createRequire(import.meta.url).resolve('piscina')
  const idle = fork(path('idle'), [path('tasks'), path('bare-thread'), piscina], {
    execArgv: [],
    silent: true,
  })
  let output = ''
  idle.stdout?.on('data', (piece: Buffer) => (output += piece.toString()))
  idle.stderr?.on('data', (piece: Buffer) => (output += piece.toString()))
  idle.disconnect()
  expect([await once(idle, 'exit'), output]).toEqual([[0, null], '30'])
})

test('a child without a kit of its own gets one of the parent’s options', async () => {
  const end = workerWaybill(kit, child('bare-handler', { env: {} }))
  withWaybill({ clk: 'me' }, () => {
    end.send(1)
    end.send(2)
  })
  const got: unknown[] = []
  await new Promise<void>((resolve) => {
    end.on('message', (message: unknown) => {
      if (got.push(message) === 2) resolve()
    })
  })
  expect(got).toEqual([
    { message: 1, clk: 'me' },
    { message: 2, clk: 'me' },
  ])
})

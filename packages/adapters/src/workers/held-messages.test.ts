import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { BroadcastChannel, type Worker } from 'node:worker_threads'
import { createKit, tryCurrentWaybill } from '@waybill/core'
import { isWaybillError, type Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { startedWorkers } from '../../test/started-workers.js'
import { workerWaybill } from './index.js'

const { thread, child } = startedWorkers(
  'thread',
  'child',
  'bare-child',
  'ends',
  'greets',
  'refusing-handler',
)

const kit = createKit({ service: 'order', environment: 'test' })

/** As many answers as are asked for. */
function answers(end: Worker | ChildProcess, count: number): Promise<unknown[]> {
  const got: unknown[] = []
  return new Promise((resolve) => {
    end.on('message', (message: unknown) => {
      if (got.push(message) === count) resolve(got)
    })
  })
}

describe('what is sent to a process before it is known to be prepared', () => {
  class Money {
    readonly #cents = 5
    toJSON(): string {
      return `EUR ${String(this.#cents)}`
    }
  }

  test.each(['json', 'advanced'] as const)(
    'arrives as the host itself would have it (%s)',
    async (serialization) => {
      const value = (): object => ({
        at: new Date(0),
        bytes: Buffer.from('hi'),
        ...(serialization === 'json' && { price: new Money() }),
      })
      const bare = child('child', { serialization })
      bare.send(value())
      const own = await once(bare, 'message')
      const end = workerWaybill(kit, child('child', { serialization }))
      const both = answers(end, 2)
      withWaybill({ clk: 'me' }, () => end.send(value()))
      const { message } = own[0] as { message: unknown }
      await once(end, 'message')
      withWaybill({ clk: 'me' }, () => end.send(value()))
      expect(await both).toMatchObject([
        { message, clk: 'me' },
        { message, clk: 'me' },
      ])
    },
  )

  test('is refused where it was sent, in the host’s words, and what follows goes out', async () => {
    const bare = child('child')
    const end = workerWaybill(kit, child('child'))
    const answer = once(end, 'message')
    const loop: Record<string, unknown> = {}
    loop['loop'] = loop
    const refusal = (to: ChildProcess, value: unknown): unknown => {
      try {
        return withWaybill({ clk: 'me' }, () => to.send(value as object))
      } catch (error) {
        return String(error)
      }
    }
    for (const value of [{ n: 1n }, loop, () => {}, undefined]) {
      expect(refusal(end, value)).toEqual(refusal(bare, value))
    }
    withWaybill({ clk: 'me' }, () => end.send('after'))
    expect((await answer)[0]).toMatchObject({ message: 'after', clk: 'me' })
  })

  test('is dropped with an event where the process ends, and its callback hears it from the host', async () => {
    const events = recordEvents(['dropped'])
    const end = workerWaybill(kit, child('ends'))
    const errors: unknown[] = []
    end.on('error', (error: unknown) => errors.push(error))
    const told = new Promise<Error | null>((resolve) => {
      withWaybill({ clk: 'me' }, () => {
        end.send('lost')
        end.send('told', resolve)
      })
    })
    expect(await told).toMatchObject({ code: 'ERR_IPC_CHANNEL_CLOSED' })
    events.stop()
    expect(errors).toEqual([])
    expect(events.of('dropped')).toMatchObject([{ reason: 'UNPREPARED' }])
  })

  test('does not go bare because the process says something as soon as it is prepared', async () => {
    const events = recordEvents(['dropped'])
    const end = workerWaybill(kit, child('greets'))
    const got = answers(end, 2)
    withWaybill({ clk: 'me' }, () => end.send('task'))
    expect(await got).toMatchObject(['ready', { message: 'task', clk: 'me' }])
    events.stop()
    expect(events.of('dropped')).toEqual([])
  })

  test('waits on where a signal ends nothing', async () => {
    const end = workerWaybill(kit, child('child'))
    const got = answers(end, 1)
    withWaybill({ clk: 'me' }, () => end.send('task'))
    expect([end.kill(0), end.kill('SIGCONT')]).toEqual([true, true])
    expect(await got).toMatchObject([{ message: 'task', clk: 'me' }])
  })

  test('goes out before disconnect()', async () => {
    const end = workerWaybill(kit, child('bare-child'))
    const heard = once(end, 'message')
    withWaybill({ clk: 'me' }, () => end.send('x', () => {}))
    end.disconnect()
    expect(end.connected).toBe(false)
    // The child has it, and cannot answer any longer.
    heard.catch(() => {})
    await once(end, 'exit')
  })
})

describe('what is sent to a thread', () => {
  test('keeps its order, whatever it is, and after disable()', async () => {
    const own = createKit({ service: 'order', environment: 'test' })
    const end = workerWaybill(own, thread('thread'))
    const all = answers(end, 4)
    withWaybill({ clk: 'me' }, () => {
      for (const value of ['first', undefined, 'third']) end.postMessage(value)
      own.disable()
      end.postMessage('last')
    })
    const got = (await all) as { readonly message: unknown }[]
    expect(got.map(({ message }) => message)).toEqual(['first', undefined, 'third', 'last'])
    createKit({ service: 'order', environment: 'test' })
  })

  test('is as it was then and in order where an interceptor waits', async () => {
    let waits = 3
    const slow: Interceptor = (next) => async (call) => {
      // Fewer turns for each: without the order of sending the last one would be the first.
      for (let turn = (waits -= 1); turn >= 0; turn -= 1) await new Promise(setImmediate)
      return next(call)
    }
    const own = createKit({ service: 'order', environment: 'test', interceptors: [slow] })
    const end = workerWaybill(own, thread('thread'))
    const all = answers(end, 2)
    const task = { state: 'as sent' }
    withWaybill({ clk: 'me' }, () => {
      end.postMessage(task)
      end.postMessage('second')
      task.state = 'changed since'
    })
    expect(await all).toMatchObject([{ message: { state: 'as sent' } }, { message: 'second' }])
    createKit({ service: 'order', environment: 'test' })
  })

  test('takes any list of what is to be transferred', async () => {
    const end = workerWaybill(kit, thread('thread'))
    for (const listed of [
      (buffer: ArrayBuffer) => new Set([buffer]),
      (buffer: ArrayBuffer) => ({ transfer: [buffer] }),
    ]) {
      const buffer = new ArrayBuffer(8)
      const answer = once(end, 'message')
      withWaybill({ clk: 'me' }, () => {
        end.postMessage(buffer, listed(buffer) as never)
      })
      expect(buffer.byteLength).toBe(0)
      expect((await answer)[0]).toMatchObject({ message: new ArrayBuffer(8), clk: 'me' })
    }
  })
})

test('an error of the kit in a bare handler keeps its code where the wrapper hears it', async () => {
  const end = workerWaybill(kit, thread('refusing-handler'))
  const failed = new Promise((resolve) => {
    end.on('error', (error) => {
      resolve([isWaybillError(error), (error as { code?: string }).code, tryCurrentWaybill()])
    })
  })
  withWaybill({ clk: 'me', shardKey: 'a' }, () => {
    end.postMessage('x')
  })
  expect(await failed).toEqual([true, 'ERR_WAYBILL_KEY_CONFLICT', undefined])
})

test('a refusal by an interceptor at the start of a worker leaves no rejection, and the worker starts', async () => {
  const unhandled: unknown[] = []
  const keep = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', keep)
  const refuses: Interceptor = () => () => Promise.reject(new Error('refused by policy'))
  const own = createKit({ service: 'order', environment: 'test', interceptors: [refuses] })
  const made = new EventEmitter()
  withWaybill({ clk: 'me' }, () => workerWaybill(own, () => made))
  await new Promise(setImmediate)
  process.off('unhandledRejection', keep)
  expect(unhandled).toEqual([])
  createKit({ service: 'order', environment: 'test' })
})

test('a thread is told that its maker is prepared before it gets what was held, or its answer would be bare', async () => {
  const channel = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
  const worker = thread('thread')
  const port = vi.spyOn(worker, 'postMessage')
  try {
    const end = workerWaybill(kit, worker)
    channel.mockClear()
    const answer = once(end, 'message')
    withWaybill({ clk: 'me' }, () => end.postMessage(1))
    await answer
    expect(channel).toHaveBeenCalledBefore(port)
  } finally {
    channel.mockRestore()
  }
})

describe('listeners are counted, shown, refused and removed as on the host', () => {
  const host = (): EventEmitter & { postMessage(): void } =>
    Object.assign(new EventEmitter(), { postMessage: () => {} })

  test('once and on of one function', () => {
    const calls = [host(), workerWaybill(kit, host())].map((end) => {
      const got: unknown[] = []
      const listener = (message: unknown): void => void got.push(message)
      end.once('message', listener)
      end.on('message', listener)
      for (const message of [1, 2, 3]) end.emit('message', message)
      end.off('message', listener)
      end.emit('message', 4)
      return [got, end.listenerCount('message')]
    })
    expect(calls[1]).toEqual(calls[0])
    expect(calls[0]).toEqual([[1, 1, 2, 3], 0])
  })

  test('what is none, and a listener that was put on the host before', () => {
    const [bare, own] = [host(), host()]
    const end = workerWaybill(kit, own)
    const refusal = (to: EventEmitter, listener: unknown): unknown => {
      try {
        return to.on('exit', listener as never)
      } catch (error) {
        return String(error)
      }
    }
    for (const none of [undefined, 'x', { handleEvent() {} }]) {
      expect(refusal(end, none)).toBe(refusal(bare, none))
    }
    const before = (): void => {}
    own.on('message', before)
    end.off('message', before)
    expect(own.listenerCount('message')).toBe(0)
  })

  test('early messages go to who listens on the host, once', () => {
    const child = Object.assign(new EventEmitter(), { send: () => true })
    const heard: unknown[] = []
    child.on('message', (message) => heard.push(['host', message]))
    const end = workerWaybill(kit, child)
    withWaybill({ clk: 'me' }, () => end.send())
    child.emit('message', 'early')
    end.on('message', (message) => heard.push(['wrapper', message]))
    expect(heard).toEqual([['host', 'early']])
  })
})

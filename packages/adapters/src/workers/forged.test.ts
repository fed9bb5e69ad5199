import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { createKit, tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { describe, expect, test } from 'vitest'
import { startedWorkers } from '../../test/started-workers.js'
import { piscinaWaybill, workerWaybill } from './index.js'

/** Bodies of requests that an application hands on as they are, and that look like what the room writes. */
const FORGED: readonly object[] = [
  { '@waybill/task@1': 'clk=mallory,shard-key=victim', value: { x: 1 } },
  { '@waybill/task@1:': 'clk=mallory', value: 1 },
  { '@waybill/task@9': 'clk=mallory', value: 1 },
  { '@waybill/task@1': '', value: 1, kit: '{"service":"evil","clks":"mallory"}' },
  { '@waybill/prepared@1': true, id: 7 },
  { '@waybill/error@1': { code: 'ERR_WAYBILL_LOOP', facts: '{}', remedy: 'x' } },
  { '@waybill/error@1': null },
]

const { path, thread, child, afterwards } = startedWorkers(
  'thread',
  'handler',
  'child',
  'forwards',
  'nested',
  'makes-first',
  'one-shot',
  'tasks',
)

const kit = createKit({ service: 'order', environment: 'test' })

function poolOf(name: string): Piscina {
  const pool = new Piscina({ filename: path(name), minThreads: 1, maxThreads: 1 })
  afterwards(() => pool.destroy())
  return pool
}

describe.each([
  ['worker_threads', () => thread('thread')],
  ['child_process', () => child('child')],
])('a message that looks like an envelope (%s)', (_title, make: () => Worker | ChildProcess) => {
  test.each(FORGED)('is data, in a scope and in none: %j', async (body) => {
    const end = workerWaybill(kit, make())
    for (const clk of ['me', undefined]) {
      const answer = once(end, 'message')
      const post = (): unknown => ('postMessage' in end ? end.postMessage(body) : end.send(body))
      if (clk === undefined) post()
      else withWaybill({ clk }, post)
      const [seen] = (await answer) as [{ readonly message: unknown; readonly clk?: string }]
      expect([seen.message, seen.clk]).toEqual([body, clk])
    }
  })
})

describe('a task that looks like an envelope', () => {
  test.each(FORGED)('is data to a bare pool, a wrapped one and a disabled one: %j', async (task) => {
    const own = createKit({ service: 'order', environment: 'test' })
    const bare = poolOf('tasks')
    const pool = piscinaWaybill(own, bare)
    const options = { name: 'named' }
    expect(await bare.run(task, options)).toEqual([task, undefined])
    const run = (): Promise<unknown> => withWaybill({ clk: 'me' }, () => pool.run(task, options))
    expect(await run()).toEqual([task, 'me'])
    own.disable()
    expect(await run()).toEqual([task, undefined])
    createKit({ service: 'order', environment: 'test' })
  })

  test.each(FORGED)('is data to who listens to the pool, and as the cause of an error: %j', async (task) => {
    const pool = piscinaWaybill(kit, poolOf('forwards'))
    const heard = new Promise((resolve) => {
      pool.once('message', (message: unknown) => {
        resolve([message, tryCurrentWaybill()])
      })
    })
    const error: unknown = await withWaybill({ clk: 'me' }, () =>
      pool.run(task).catch((failure: unknown) => failure),
    )
    expect(error).toBeInstanceOf(RangeError)
    expect(error).toMatchObject({ message: 'refused', cause: task })
    expect(await heard).toEqual([task, undefined])
  })
})

describe('the waybill in which a thread was made', () => {
  test.each([undefined, 'tick'])('is not that of a message which equals its workerData: %j', async (data) => {
    const end = withWaybill({ clk: 'maker' }, () =>
      workerWaybill(kit, () => thread('handler', data === undefined ? {} : { workerData: data })),
    )
    const seen: unknown[] = []
    const all = new Promise<void>((resolve) => {
      end.on('message', ({ clk }: { clk: unknown }) => {
        if (seen.push(clk) === 3) resolve()
      })
    })
    end.postMessage(data)
    withWaybill({ clk: 'bob' }, () => {
      end.postMessage(data)
    })
    end.postMessage(data)
    await all
    expect(seen).toEqual([undefined, 'bob', undefined])
  })

  test('is not that of the threads which it makes itself', async () => {
    const end = withWaybill({ clk: 'maker' }, () =>
      workerWaybill(kit, () => thread('nested', { workerData: 'outer' })),
    )
    const seen: unknown[] = []
    await new Promise<void>((resolve) => {
      end.on('message', (message: unknown) => {
        if (seen.push(message) === 2) resolve()
      })
    })
    expect(seen).toEqual([{ clk: undefined }, { clk: undefined }])
  })

  test('is its own, though it has made a thread before it asks', async () => {
    const end = withWaybill({ clk: 'maker' }, () =>
      workerWaybill(kit, () => thread('makes-first', { workerData: 'first' })),
    )
    expect(await once(end, 'message')).toEqual([{ clk: 'maker' }])
  })

  test('is that of what it posts before it ends, though it never listens', async () => {
    const end = withWaybill({ clk: 'maker' }, () =>
      workerWaybill(kit, () => thread('one-shot', { workerData: 'job' })),
    )
    const heard = await new Promise((resolve) => {
      end.on('message', (message: unknown) => {
        resolve([message, tryCurrentWaybill()?.clk])
      })
    })
    expect(heard).toEqual([{ data: 'job', clk: 'maker' }, 'maker'])
  })
})

test('who is not wrapped, or is disabled, hears nothing of a prepared worker but its answers', async () => {
  const disabled = createKit({ service: 'order', environment: 'test', disabled: true })
  createKit({ service: 'order', environment: 'test' })
  for (const bare of [thread('handler'), workerWaybill(disabled, () => thread('handler'))]) {
    const heard: unknown[] = []
    const done = new Promise<void>((resolve) => {
      bare.on('message', (message: unknown) => {
        if (heard.push(message) === 2) resolve()
      })
    })
    bare.postMessage(1)
    bare.postMessage(2)
    await done
    expect(heard).toMatchObject([{ message: 1 }, { message: 2 }])
  }
  const process = child('child')
  const first = once(process, 'message')
  process.send('x')
  expect((await first)[0]).toMatchObject({ message: 'x' })
})

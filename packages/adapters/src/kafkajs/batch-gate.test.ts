import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKit, type Kit } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { waybillSender } from './sender.js'

const kitOf = (...interceptors: Interceptor[]): Kit =>
  createKit({ service: 'order', environment: 'test', interceptors })

const batchOf = (topics: readonly string[]) => ({
  topicMessages: topics.map((topic) => ({ topic, messages: [{ value: topic }] })),
})

/** A producer whose broker answers each batch by its number. */
function producing(kit: Kit, sendBatch: (times: number) => Promise<unknown>) {
  let times = 0
  const host = {
    send: () => Promise.reject(new Error('no batch')),
    sendBatch: () => sendBatch(++times),
  }
  const { sendBatch: send } = waybillSender(kit, host, { dedicatedHeaders: false })
  return { send, times: () => times }
}

test('thousands of topics pass, each once, before the one send', async () => {
  const passed: unknown[] = []
  const kit = kitOf((next) => (call) => {
    passed.push(call.topic)
    return next(call)
  })
  const { send, times } = producing(kit, () => Promise.resolve(passed.length))
  const topics = Array.from({ length: 10_000 }, (_, at) => `topic-${String(at)}`)
  expect(await send(batchOf(topics))).toBe(10_000)
  expect(passed).toEqual(topics)
  expect(times()).toBe(1)
})

test('the send waits for the topic whose interceptor waits', async () => {
  let goOn!: () => void
  const asked = new Promise<void>((resolve) => (goOn = resolve))
  const kit = kitOf((next) => async (call) => {
    if (call.topic === 'a') await asked
    return next(call)
  })
  const { send, times } = producing(kit, () => Promise.resolve('metadata'))
  const sent = send(batchOf(['a', 'b']))
  await turn()
  expect(times()).toBe(0)
  goOn()
  expect(await sent).toBe('metadata')
})

test.each(['a', 'b'])(
  'a topic that is refused, %s, ends the calls of all with that, and nothing is sent',
  async (refused) => {
    const refusal = new Error('not this one')
    const ended: unknown[] = []
    const kit = kitOf((next) => (call) => {
      const reply = call.topic === refused ? Promise.reject(refusal) : next(call)
      reply.catch((error: unknown) => ended.push([call.topic, error]))
      return reply
    })
    const { send, times } = producing(kit, () => Promise.resolve('metadata'))
    await expect(send(batchOf(['a', 'b', 'c']))).rejects.toBe(refusal)
    await turn()
    expect(ended.sort()).toEqual(['a', 'b', 'c'].map((topic) => [topic, refusal]))
    expect(times()).toBe(0)
  },
)

test('an interceptor that answers one topic by itself answers the batch, and one that comes later is not sent', async () => {
  const kit = kitOf((next) => async (call) => {
    if (call.topic === 'a') return { value: 'answered', header: () => undefined, done: Promise.resolve() }
    if (call.topic === 'c') await turn()
    return next(call)
  })
  const { send, times } = producing(kit, () => Promise.resolve('metadata'))
  expect(await send(batchOf(['a', 'b', 'c']))).toBe('answered')
  expect(times()).toBe(0)
})

test('interceptors that try again send the batch again; where one of them does not, its error is the answer', async () => {
  const failing = new Error('no leader')
  const retrying = (topics: readonly string[]): Interceptor => {
    return (next) => (call) =>
      next(call).catch((error: unknown) => {
        if (topics.includes(call.topic ?? '')) return next({ ...call, attempt: 2 })
        throw error
      })
  }
  const failsOnce = (times: number): Promise<unknown> =>
    times === 1 ? Promise.reject(failing) : Promise.resolve(times)
  const all = producing(kitOf(retrying(['a', 'b'])), failsOnce)
  expect(await all.send(batchOf(['a', 'b']))).toBe(2)
  const one = producing(kitOf(retrying(['a'])), failsOnce)
  await expect(one.send(batchOf(['a', 'b']))).rejects.toBe(failing)
  expect(one.times()).toBe(1)
})

test('a producer that throws at once ends the calls of all', async () => {
  const broken = new Error('disconnected')
  const ended: unknown[] = []
  const kit = kitOf(
    (next) => (call) =>
      next(call).catch((error: unknown) => {
        ended.push(error)
        throw error
      }),
  )
  const { send } = producing(kit, () => {
    throw broken
  })
  await expect(send(batchOf(['a', 'b']))).rejects.toBe(broken)
  await turn()
  expect(ended).toEqual([broken, broken])
})

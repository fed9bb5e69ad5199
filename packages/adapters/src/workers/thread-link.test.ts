import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BroadcastChannel, Worker } from 'node:worker_threads'
import { createKit } from '@waybill/core'
import { threadSecret } from '@waybill/core/adapter'
import { expect, onTestFinished, test } from 'vitest'
import { workerWaybill } from './index.js'
import { ThreadLink } from './thread-link.js'

createKit({ service: 'order', environment: 'test' })

/** Of no thread of this process. */
const THREAD = 1_000_000

/** The other end of the words. */
function otherSide(): { say(word: object): Promise<unknown> } {
  const channel = new BroadcastChannel(`@waybill/workers@1:${threadSecret()}`)
  onTestFinished(() => {
    channel.close()
  })
  return {
    say: (word) =>
      new Promise((resolve) => {
        channel.onmessage = ({ data }) => {
          resolve(data)
        }
        channel.postMessage(word)
      }),
  }
}

test('whoever greets is answered, though it was known before: its first word, or the answer, may have been lost', async () => {
  const link = new ThreadLink(THREAD, 'parent', true)
  const { say } = otherSide()
  for (const _time of [1, 2]) {
    expect(await say({ thread: THREAD, side: 'worker', answer: false })).toEqual({
      thread: THREAD,
      side: 'parent',
      answer: true,
    })
  }
  expect(link.peer).toBe(link.own)
  link.close()
})

test('an answer makes the other side known, and is not answered itself', async () => {
  const link = new ThreadLink(THREAD + 1, 'worker', false)
  const { say } = otherSide()
  expect(link.peer).toBeUndefined()
  const heard: unknown[] = []
  void say({ thread: THREAD + 1, side: 'parent', answer: true }).then((word) => heard.push(word))
  const other = new ThreadLink(THREAD + 2, 'worker', false)
  await say({ thread: THREAD + 2, side: 'parent', answer: false })
  expect(link.peer).toBe(link.own)
  expect(heard).toEqual([])
  for (const each of [link, other]) each.close()
})

test('a worker that has ended is kept by nobody, though the application has removed every listener', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const kit = createKit({ service: 'order', environment: 'test' })
  const ended = async (): Promise<WeakRef<Worker>> => {
    const worker = new Worker('setInterval(() => {}, 1000)', { eval: true })
    const end = workerWaybill(kit, worker)
    await once(worker, 'online')
    end.removeAllListeners()
    await worker.terminate()
    return new WeakRef(worker)
  }
  const kept = await ended()
  for (let round = 0; round < 20 && kept.deref() !== undefined; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    collect()
  }
  expect(kept.deref()).toBeUndefined()
})

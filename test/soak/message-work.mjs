import { setImmediate as turn } from 'node:timers/promises'
import { fetchWaybill } from '@waybill/adapters/fetch'
import { kafkaWaybill, runWithMessage } from '@waybill/adapters/kafkajs'
import { everyDetached } from '@waybill/adapters/timers'
import { currentWaybill } from '@waybill/core'
import { MemoryKafka } from './memory-kafka.mjs'
import { batchOf } from './message-traffic.mjs'

/** @typedef {import('./message-traffic.mjs').Doing} Doing */

/** How long a timer of a message lives on after it was handled. */
const AFTER_MS = 100
const BATCH = 50
/** Between two turns of the job that runs all the time. */
const JOB_MS = 10

const onPurpose = new Error('failed on purpose')

/**
 * The part of the application that consumes messages, by each way in turn that the room of kafkajs has.
 * @param {import('@waybill/core').Kit} kit
 * @param {object} at
 * @param {import('./work-under-way.mjs').WorkUnderWay} at.work
 * @param {(what: string) => void} at.count
 * @param {() => void} at.keep called in the waybill of each message
 * @param {() => Promise<string | undefined>} at.keyInWorker gives a task to a worker, which answers with the key that it sees
 * @returns {Promise<(messages: number) => Promise<void>>} consumes so many messages more
 * @throws if a message or what it made is handled under another's waybill.
 */
export const messageWork = async (kit, { work, count, keep, keyInWorker }) => {
  /** @type {unknown} */
  let stray
  const same = (/** @type {string | undefined} */ key, /** @type {string | undefined} */ seen) => {
    if (key !== undefined && seen !== key) stray ??= new Error(`what belongs to ${key} ran as ${seen}'s`)
  }
  const kafka = new MemoryKafka(({ headers = {}, value }) => {
    const { key } = JSON.parse(String(value))
    const { baggage } = headers
    same(key, /shard-key=([^,]*)/.exec(Buffer.isBuffer(baggage) ? baggage.toString('latin1') : '')?.[1])
    count('sentMessages')
  })
  const client = kafkaWaybill(kit, /** @type {import('kafkajs').Kafka} */ (/** @type {unknown} */ (kafka)))
  const producer = client.producer()
  const byFetch = fetchWaybill(kit)

  /** @type {Record<Doing, (message: import('kafkajs').KafkaMessage) => unknown>} */
  const doings = {
    nothing: () => {},
    wait: async () => {
      for (let at = 0; at < 5; at++) await Promise.resolve()
      await turn()
    },
    'leave a timer': () => {
      const done = work.begin()
      const { shardKey } = currentWaybill()
      setTimeout(() => {
        same(shardKey, currentWaybill().shardKey)
        count('timersOfMessages')
        done()
      }, AFTER_MS)
    },
    send: ({ value }) => producer.send({ topic: 'shipments', messages: [{ value }] }),
    'hand on': (message) => producer.send({ topic: 'orders.retry', messages: [message] }),
    'give a task': async () => {
      const { shardKey } = currentWaybill()
      same(shardKey, await keyInWorker())
      count('tasks')
    },
    call: async () => {
      const reply = await byFetch('http://inventory/stock')
      same(currentWaybill().shardKey, /** @type {{ key?: string }} */ (await reply.json()).key)
      count('callsOfMessages')
    },
    fail: () => {
      throw onPurpose
    },
  }

  const handle = async (/** @type {import('kafkajs').KafkaMessage} */ message) => {
    keep()
    if (message.value === null) {
      count('tombstones')
      return
    }
    /** @type {import('./message-traffic.mjs').Content} */
    const { does, key } = JSON.parse(message.value.toString())
    same(key, currentWaybill().shardKey)
    await doings[does](message)
    same(key, currentWaybill().shardKey)
    count('messages')
  }

  await client.consumer({ groupId: 'one-by-one' }).run({
    eachMessage: async ({ message }) => handle(message),
  })
  await client.consumer({ groupId: 'in-batches' }).run({
    eachBatch: async ({ forEachMessage }) => forEachMessage(handle, { resolve: true, heartbeat: true }),
  })
  await client.consumer({ groupId: 'all-at-once' }).run({
    eachBatch: async ({ batch }) => {
      const { topic, messages } = batch
      const handled = messages.map((message) =>
        runWithMessage(kit, { topic, message }, () => handle(message)).catch(failed),
      )
      await Promise.all(handled)
    },
  })
  const groups = ['one-by-one', 'in-batches', 'all-at-once']

  const failed = (/** @type {unknown} */ error) => {
    if (error !== onPurpose) throw error
    count('failedMessages')
  }

  // Begun in the waybill of a message, of which nothing may stay.
  runWithMessage(kit, { topic: 'orders', message: batchOf(0, 1)[0] ?? {} }, () => {
    everyDetached(kit, JOB_MS, () => {
      if (currentWaybill().shardKey !== undefined)
        stray ??= new Error('a job ran in the waybill of a message')
      count('turnsOfAJob')
    })
  })

  let consumed = 0
  return async (messages) => {
    for (const end = consumed + messages; consumed < end; consumed += BATCH) {
      const group = groups[(consumed / BATCH) % groups.length] ?? ''
      await kafka.deliver(group, { topic: 'orders', messages: batchOf(consumed, BATCH) }, failed)
    }
    if (stray !== undefined) throw stray
  }
}

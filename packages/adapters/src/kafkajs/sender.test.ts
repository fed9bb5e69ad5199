import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKit, type Kit, type KitOptions } from '@waybill/core'
import { recordEvents, withWaybill, type EventRecorder } from '@waybill/core/testing'
import type { SentMessage } from './stamped-messages.js'
import { waybillSender } from './sender.js'

const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', ...options })
const kit = kitOf()

interface Sent {
  readonly topic: string
  readonly messages: readonly (SentMessage & { readonly value?: unknown })[]
}

/** A sender in front of a broker that keeps what it is handed. */
function sending(from: Kit = kit, dedicatedHeaders = false) {
  const sent: Sent[] = []
  const handed: unknown[] = []
  const keep = async (request: { topicMessages?: Sent[] } | Sent): Promise<unknown> => {
    handed.push(request)
    sent.push(...('topic' in request ? [request] : (request.topicMessages ?? [])))
    return 'metadata'
  }
  const sender = waybillSender(from, { send: keep, sendBatch: keep }, { dedicatedHeaders })
  return { sender, sent, handed }
}

/** The headers with which one message arrives at the broker, as text. */
async function headersOf(message: unknown, from: Kit = kit, dedicatedHeaders = false): Promise<object> {
  const { sender, sent } = sending(from, dedicatedHeaders)
  await sender.send({ topic: 'orders', messages: [message] })
  const headers = Object.entries(sent[0]!.messages[0]!.headers ?? {})
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
}

let events: EventRecorder
beforeEach(() => {
  events = recordEvents()
})
afterEach(() => {
  events.stop()
})

describe('a send', () => {
  test('hands over the one header, as one Buffer that all messages of the send share', async () => {
    const { sender, sent } = sending()
    const messages = [{ value: '1' }, { value: '2', headers: { a: '1' } }, { value: '3', headers: {} }]
    await withWaybill({ clk: 'me' }, () =>
      sender.sendBatch({
        topicMessages: [
          { topic: 'a', messages },
          { topic: 'b', messages },
        ],
      }),
    )
    const buffers = sent.flatMap((one) =>
      one.messages.map(({ headers }) => (headers as { baggage: Buffer }).baggage),
    )
    expect(buffers).toHaveLength(6)
    expect(new Set(buffers).size).toBe(1)
    expect(String(buffers[0])).toBe('clk=me,waybill-depth=1')
  })

  test('gives each message a record of headers of its own, where a tracer may add what belongs to that message', async () => {
    const { sender, sent } = sending()
    await sender.send({ topic: 'a', messages: [{ value: '1' }, { value: '2' }] })
    const [first, second] = sent[0]!.messages.map(({ headers }) => headers as Record<string, unknown>)
    first!['traceparent'] = 'of the first'
    expect(second).toEqual({ baggage: Buffer.from('waybill-depth=1') })
  })

  test('resolves with what kafkajs resolves with, and rejects with its own error', async () => {
    const { sender } = sending()
    expect(await sender.send({ topic: 'a', messages: [] })).toBe('metadata')
    const broken = new Error('no leader')
    const failing = waybillSender(
      kit,
      { send: () => Promise.reject(broken), sendBatch: () => Promise.reject(broken) },
      { dedicatedHeaders: false },
    )
    await expect(failing.send({ topic: 'a', messages: [] })).rejects.toBe(broken)
    await expect(
      failing.sendBatch({
        topicMessages: [
          { topic: 'a', messages: [] },
          { topic: 'b', messages: [] },
        ],
      }),
    ).rejects.toBe(broken)
  })

  test('writes to nothing of the caller’s, frozen or not, and keeps everything else of a message', async () => {
    const token = Symbol('token')
    const message = Object.freeze({
      key: 'k',
      value: null,
      partition: 3,
      timestamp: '1',
      [token]: 'kept',
      headers: Object.freeze({ Baggage: 'a=1', list: Object.freeze(['x', 'y']) }),
    })
    const record = Object.freeze({ topic: 'orders', acks: 1, messages: Object.freeze([message]) })
    const { sender, handed } = sending()
    await withWaybill({ clk: 'me' }, () => sender.send(record))
    expect(handed).toEqual([
      {
        topic: 'orders',
        acks: 1,
        messages: [
          {
            ...message,
            headers: { baggage: Buffer.from('clk=me,waybill-depth=1,a=1'), list: ['x', 'y'] },
          },
        ],
      },
    ])
    expect(message.headers).toEqual({ Baggage: 'a=1', list: ['x', 'y'] })
  })

  test('reads a getter of a message once and keeps the class that a partitioner may ask', async () => {
    let reads = 0
    class Order {
      readonly value = '1'
      get region(): string {
        return `eu-${this.value}`
      }
    }
    const message = Object.defineProperty(new Order(), 'key', {
      enumerable: true,
      get: () => String(++reads),
    })
    const { sender, sent } = sending()
    await sender.send({ topic: 'orders', messages: [message] })
    const [copy] = sent[0]!.messages as unknown as (Order & { key: string })[]
    expect([copy!.key, copy!.key, copy!.region, copy instanceof Order]).toEqual(['1', '1', 'eu-1', true])
    expect(reads).toBe(1)
  })

  test('takes what kafkajs reads from wherever a message has it: private fields, a base class, a Proxy', async () => {
    class Base {
      readonly #said = { key: 'k', value: 'v', partition: 2, timestamp: '7' }
      get key(): string {
        return this.#said.key
      }
      get value(): string {
        return this.#said.value
      }
      get partition(): number {
        return this.#said.partition
      }
      get timestamp(): string {
        return this.#said.timestamp
      }
    }
    class Order extends Base {}
    const order = new Order()
    const proxy = new Proxy({}, { get: (_, name) => Reflect.get(order, name) as unknown })
    const inherited = Object.create({ key: 'k', value: 'v', partition: 2, timestamp: '7' }) as object
    const { sender, handed } = sending()
    await withWaybill({ clk: 'me' }, () =>
      sender.send({ topic: 'orders', messages: [order, proxy, inherited] }),
    )
    const [record] = handed as { messages: object[] }[]
    for (const copy of record!.messages) {
      // kafkajs looks at the value by its name, and encodes the own members.
      expect({ ...copy }).toEqual({
        key: 'k',
        value: 'v',
        partition: 2,
        timestamp: '7',
        headers: { baggage: Buffer.from('clk=me,waybill-depth=1') },
      })
      expect(copy).toHaveProperty('value', 'v')
    }
    expect(record!.messages[0]).toBeInstanceOf(Order)
  })

  test('hands on what a record says by its class, by a getter or by what it was made from', async () => {
    class Important {
      readonly topic = 'orders'
      readonly messages = [{ value: '1' }]
      readonly #acks = 1
      get acks(): number {
        return this.#acks
      }
    }
    const inherited = Object.assign(
      Object.create({ topic: 'orders', compression: 1, timeout: 5 }) as object,
      {
        messages: [{ value: '2' }],
      },
    )
    const batch = Object.create({ acks: 1, topicMessages: [inherited] }) as object
    const { sender, handed } = sending()
    await sender.send(new Important())
    await sender.send(inherited)
    await sender.sendBatch(batch)
    expect(handed).toMatchObject([
      { topic: 'orders', acks: 1 },
      { topic: 'orders', compression: 1, timeout: 5 },
      { acks: 1, topicMessages: [{ topic: 'orders', messages: [{ value: '2' }] }] },
    ])
  })

  test('says the dedicated headers too, first, where that was asked for', async () => {
    const headers = await withWaybill({ clk: 'me', shardKey: '7' }, () =>
      headersOf({ value: '1', headers: { a: '1', CLK: 'bob' } }, kit, true),
    )
    expect(Object.entries(headers)).toEqual([
      ['clk', 'me'],
      ['x-shard-key', '7'],
      ['baggage', 'clk=me,shard-key=7,waybill-depth=1'],
      ['a', '1'],
    ])
  })
})

describe('headers of the caller', () => {
  test('OBS-4 her baggage stands behind ours, in one header', async () => {
    const headers = await withWaybill({ clk: 'me' }, () =>
      headersOf({ value: '1', headers: { Baggage: 'a=1', other: 'x' } }),
    )
    expect(headers).toEqual({ baggage: 'clk=me,waybill-depth=1,a=1', other: 'x' })
  })

  test('context tulios/kafkajs#1121 two baggage headers are read as one list, whatever the case of their keys', async () => {
    const headers = { BAGGAGE: ['a=1', Buffer.from('b=2')], baggage: 'clk=bob,c=3', list: ['x', 'y'] }
    const seen = await withWaybill({ clk: 'me' }, () => headersOf({ value: '1', headers }))
    expect(seen).toEqual({ baggage: 'clk=me,waybill-depth=1,a=1,b=2,c=3', list: 'x,y' })
    expect(events.of('conflict')).toMatchObject([{ field: 'clk', kept: 'waybill' }])
  })

  test('foreign members keep their bytes, whether they stand in a string or in a Buffer', async () => {
    const said = 'a=é泳'
    const both = [said, Buffer.from(said)]
    for (const baggage of both) {
      const { sender, sent } = sending()
      await withWaybill({ clk: 'me' }, () =>
        sender.send({ topic: 'a', messages: [{ value: '1', headers: { baggage } }] }),
      )
      const written = (sent[0]!.messages[0]!.headers as { baggage: Buffer }).baggage
      expect(written.equals(Buffer.from(`clk=me,waybill-depth=1,${said}`))).toBe(true)
    }
  })

  test('names of ours lose to the waybill inside of a request, and count outside of any', async () => {
    const message = { value: '1', headers: { Clk: 'bob', 'X-Shard-Key': '9' } }
    expect(await withWaybill({ clk: 'me' }, () => headersOf(message))).toEqual({
      baggage: 'clk=me,waybill-depth=1',
    })
    expect(await headersOf(message)).toEqual({ baggage: 'clk=bob,shard-key=9,waybill-depth=1' })
  })

  test.each([
    ['null', null],
    ['a number', 5],
    ['a boolean', true],
    ['null in a list', ['a', null]],
    ['undefined', undefined],
  ])('context tulios/kafkajs#1500, PR#1786 a mistake under any name is handed on: %s', async (_, value) => {
    for (const name of ['a', 'baggage', 'Clk']) {
      const { sender, sent } = sending()
      await withWaybill({ clk: 'me' }, () =>
        sender.send({ topic: 'a', messages: [{ value: '1', headers: { [name]: value } }] }),
      )
      expect(sent[0]!.messages[0]!.headers).toHaveProperty(name, value)
    }
  })

  test.each([
    ['no record', undefined],
    ['no topic', { messages: [{ value: '1' }] }],
    ['no messages', { topic: 'a' }],
    ['no list of messages', { topic: 'a', messages: { value: '1' } }],
  ])('what is no send is kafkajs’s to refuse, untouched: %s', async (_, record) => {
    const seen: unknown[] = []
    const host = {
      send: (given: unknown) => Promise.resolve(seen.push(given)),
      sendBatch: (given: unknown) => Promise.resolve(seen.push(given)),
    }
    const sender = waybillSender(kit, host, { dedicatedHeaders: false })
    const batch = { topicMessages: [{ topic: 'b', messages: [] }, record] }
    await sender.send(record)
    await sender.sendBatch(batch)
    expect(seen[0]).toBe(record)
    expect(seen[1]).toBe(batch)
  })

  test.each([
    ['null', null],
    ['a text', 'message'],
    ['headers that are null', { value: '1', headers: null }],
    ['headers that are a text', { value: '1', headers: 'a' }],
  ])('what is no message is kafkajs’s to refuse, untouched: %s', async (_, message) => {
    const { sender, sent } = sending()
    await withWaybill({ clk: 'me' }, () => sender.send({ topic: 'a', messages: [message] }))
    expect(sent[0]!.messages[0]).toBe(message)
  })
})

describe('a topic that is not believed', () => {
  const own = kitOf({ trust: { topics: ['orders.*'] } })

  test('gets no header, and the very messages of the caller', async () => {
    const messages = [{ value: '1' }, { value: null, headers: { a: '1' } }]
    const { sender, sent } = sending(own)
    await withWaybill({ clk: 'me' }, () => sender.send({ topic: 'audit', messages }))
    expect(sent[0]!.messages).toHaveLength(2)
    sent[0]!.messages.forEach((message, at) => {
      expect(message).toBe(messages[at])
    })
  })

  test('gets no name of ours that the caller put there either; each is counted', async () => {
    const { sender, sent } = sending(own)
    const headers = { clk: 'me', Baggage: 'a=1,clk=me', b: '2' }
    await sender.send({ topic: 'audit', messages: [{ value: '1', headers }] })
    expect(sent[0]!.messages[0]!.headers).toEqual({ baggage: Buffer.from('a=1'), b: '2' })
    expect(events.of('dropped')).toMatchObject([{ direction: 'out', reason: 'LEAVES_FLEET', count: 2 }])
  })
})

describe('interceptors', () => {
  test('see each topic of a batch once, all of them before the one send', async () => {
    const seen: unknown[] = []
    const own = kitOf({
      interceptors: [
        (next) => async (call) => {
          seen.push(call.topic)
          const reply = await next(call)
          seen.push(reply.value)
          return reply
        },
      ],
    })
    const { sender, handed } = sending(own)
    const entry = (topic: string) => ({ topic, messages: [{ value: topic }] })
    const value = await sender.sendBatch({ topicMessages: [entry('a'), entry('b'), entry('a')] })
    expect(seen).toEqual(['a', 'b', 'metadata', 'metadata'])
    expect(value).toBe('metadata')
    expect(handed).toMatchObject([{ topicMessages: [{ topic: 'a' }, { topic: 'b' }, { topic: 'a' }] }])
    expect(events.of('injected').map(({ kind, topic }) => [kind, topic])).toEqual([
      ['message', 'a'],
      ['message', 'b'],
    ])
  })

  test('one that refuses a topic keeps the whole batch from the broker', async () => {
    const refusal = new Error('not this one')
    const own = kitOf({
      interceptors: [(next) => (call) => (call.topic === 'b' ? Promise.reject(refusal) : next(call))],
    })
    const { sender, handed } = sending(own)
    const batch = { topicMessages: ['a', 'b'].map((topic) => ({ topic, messages: [] })) }
    await expect(sender.sendBatch(batch)).rejects.toBe(refusal)
    expect(handed).toEqual([])
  })
})

test('context opentelemetry-js#4804 two wrappers around each other write one header, each member once', async () => {
  const { sender, sent } = sending()
  const twice = waybillSender(kit, sender, { dedicatedHeaders: false })
  await withWaybill({ clk: 'me' }, () =>
    twice.send({ topic: 'a', messages: [{ value: '1' }, { value: '2', headers: { baggage: 'a=1' } }] }),
  )
  expect(sent[0]!.messages.map(({ headers }) => headers)).toEqual([
    { baggage: Buffer.from('clk=me,waybill-depth=1') },
    { baggage: Buffer.from('clk=me,waybill-depth=1,a=1') },
  ])
})

test('a kit that was disabled hands on the very record', async () => {
  const own = kitOf()
  const { sender, handed } = sending(own)
  own.disable()
  const record = { topic: 'a', messages: [{ value: '1' }] }
  const batch = { topicMessages: [record] }
  await sender.send(record)
  await sender.sendBatch(batch)
  expect(handed[0]).toBe(record)
  expect(handed[1]).toBe(batch)
})

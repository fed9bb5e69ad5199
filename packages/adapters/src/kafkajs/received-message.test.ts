import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bindShardKey, createKit, currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { WaybillError, type Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill, type EventRecorder } from '@waybill/core/testing'
import { runWithMessage, waybillOf } from './received-message.js'

const kit = createKit({ service: 'order', environment: 'test' })
const received = (headers: unknown) => ({ topic: 'orders', message: { headers } })
const clkOf = (headers: unknown): string | undefined =>
  runWithMessage(kit, received(headers), () => currentWaybill().clk)

let events: EventRecorder
beforeEach(() => {
  events = recordEvents()
})
afterEach(() => {
  events.stop()
})

describe('runWithMessage', () => {
  test('context tulios/kafkajs#924, taskforcesh/bullmq#2894 a message without headers runs in an empty waybill', () => {
    for (const headers of [undefined, {}]) expect(clkOf(headers)).toBeUndefined()
    expect(events.of('adopted').map(({ kind }) => kind)).toEqual(['message', 'message'])
  })

  test('is a request of its own, whatever scope this is', () => {
    withWaybill({ clk: 'alice', shardKey: '1' }, () => {
      const seen = runWithMessage(kit, received({ baggage: Buffer.from('clk=bob,waybill-depth=2') }), () => {
        bindShardKey('2')
        const { clk, shardKey, depth } = currentWaybill()
        return { clk, shardKey, depth }
      })
      expect(seen).toEqual({ clk: 'bob', shardKey: '2', depth: 2 })
      expect(currentWaybill().shardKey).toBe('1')
    })
  })

  test('returns what the function returns and throws what it throws', () => {
    const broken = new Error('no')
    expect(runWithMessage(kit, received({}), () => 7)).toBe(7)
    expect(() =>
      runWithMessage(kit, received({}), () => {
        throw broken
      }),
    ).toThrow(broken)
  })

  test('throws the refusal of an interceptor that does not admit the message, and runs no handler', () => {
    const refusal = new WaybillError('ERR_WAYBILL_MISDIRECTED')
    const doorman: Interceptor = Object.assign(((next) => next) as Interceptor, { admit: () => refusal })
    const own = createKit({ service: 'order', environment: 'test', interceptors: [doorman] })
    expect(() => runWithMessage(own, received({}), () => expect.unreachable())).toThrow(refusal)
  })

  test('runs the bare function where the kit is disabled', () => {
    const own = createKit({ service: 'order', environment: 'test', disabled: true })
    const run = (): string | undefined =>
      runWithMessage(own, received({ baggage: 'clk=bob' }), () => tryCurrentWaybill()?.clk)
    expect([run(), withWaybill({ clk: 'alice' }, run)]).toEqual([undefined, 'alice'])
    expect(own.counters.adopted).toBe(0)
  })

  test('context opentelemetry-js#4001 two messages through one emitter are independent, and none is left afterwards', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((clk) =>
        runWithMessage(kit, received({ baggage: `clk=${clk}` }), async () => {
          await Promise.resolve()
          return currentWaybill().clk
        }),
      ),
    )
    expect(seen).toEqual(['a', 'b'])
    expect(tryCurrentWaybill()).toBeUndefined()
  })
})

describe('what is read', () => {
  test.each([
    ['context opentelemetry-js#3150 CLK', { CLK: Buffer.from('me') }],
    ['context redpanda-data/connect PR#1400 BAGGAGE', { BAGGAGE: Buffer.from('clk=me') }],
    ['OBS-4 Baggage beside baggage', { Baggage: Buffer.from('a=1'), baggage: Buffer.from('clk=me') }],
    [
      'context tulios/kafkajs#1121 two baggage headers',
      { baggage: [Buffer.from('a=1'), Buffer.from('clk=me')] },
    ],
    ['routing 43 beside a trace', { traceparent: Buffer.from('00-1-2-01'), baggage: Buffer.from('clk=me') }],
    ['context opentelemetry-ruby PR#550 beside foreign members', { baggage: Buffer.from('clk=me,a=1') }],
    ['context sleuth#1678 texts', { baggage: 'clk=me' }],
    ['a Map, as other clients have it', new Map([['baggage', Buffer.from('clk=me')]])],
    ['routing 46 with a property', { baggage: Buffer.from('clk=me;ttl=5') }],
  ])('%s', (_, headers) => {
    const before = inspect(headers)
    expect(clkOf(headers)).toBe('me')
    expect(inspect(headers)).toBe(before)
  })

  test.each([
    [
      'context tulios/kafkajs#1121 two clk headers',
      { clk: [Buffer.from('a'), Buffer.from('b')] },
      'AMBIGUOUS_CLK',
    ],
    ['mixed-case duplicates', { clk: Buffer.from('a'), CLK: Buffer.from('b') }, 'AMBIGUOUS_CLK'],
    ['invalid UTF-8', { baggage: Buffer.from([0x63, 0x6c, 0x6b, 0x3d, 0xff, 0xfe]) }, 'INVALID_CLK'],
    ['an oversized list', { baggage: Buffer.from(`${'a=1,'.repeat(3000)}clk=me`) }, 'OVER_LIMIT'],
    [
      'routing 48 ten thousand members of a megabyte',
      { baggage: Buffer.from(`${`k=${'v'.repeat(98)},`.repeat(10_000)}clk=me`) },
      'OVER_LIMIT',
    ],
    ['routing 44 a value with = in it', { baggage: Buffer.from('clk=YQ==') }, 'INVALID_CLK'],
  ])('a tag that cannot be believed is none, with an event: %s', (_, headers, reason) => {
    expect(clkOf(headers)).toBeUndefined()
    expect(events.of('dropped')).toContainEqual(expect.objectContaining({ direction: 'in', reason }))
  })

  test.each([
    ['a foreign header that is null', { a: null }],
    ['context kafkajs#1500 undefined', { clk: undefined }],
    ['a number', { baggage: 5 }],
    ['a list of nothing', { baggage: [null, undefined, {}] }],
    ['an empty list', { baggage: [] }],
    ['no record', null],
    ['a list of records', [{ baggage: 'clk=me' }]],
    ['a text', 'clk=me'],
    ['a name of the prototype', { __proto__: { baggage: 'clk=me' }, constructor: Buffer.from('clk=me') }],
  ])('what is no header is absent: %s', (_, headers) => {
    expect(clkOf(headers)).toBeUndefined()
    expect(events.of('dropped')).toEqual([])
  })

  test.each([
    ['context kafkajs PR#1786 null', { baggage: null, a: Buffer.from('1') }, undefined, ['baggage']],
    [
      'in any case, and foreign ones',
      { CLK: null, 'X-Shard-Key': null, a: null },
      undefined,
      ['clk', 'x-shard-key'],
    ],
    ['of a Map', new Map([['clk', null]]), undefined, ['clk']],
    ['beside a tag', { clk: null, baggage: Buffer.from('clk=me,waybill-depth=1') }, 'me', ['clk']],
  ])('a header of ours that is null is absent, with an event: %s', (_, headers, clk, fields) => {
    expect(clkOf(headers)).toBe(clk)
    expect(events.of('dropped')).toMatchObject(
      fields.map((field) => ({ direction: 'in', field, reason: 'INVALID' })),
    )
    expect(waybillOf(kit, received(headers)).clk).toBe(clk)
    expect(events.of('dropped')).toHaveLength(2 * fields.length)
  })

  test('of a topic that nobody believes a null says nothing', () => {
    const own = createKit({ service: 'order', environment: 'test', trust: { topics: ['payments'] } })
    runWithMessage(own, received({ clk: null }), () => undefined)
    expect(events.of('dropped')).toEqual([])
  })

  const fails = (): never => {
    throw new Error('not to be had')
  }
  test.each([
    ['a getter that throws', Object.defineProperty({}, 'baggage', { enumerable: true, get: fails })],
    ['a Proxy that throws', new Proxy({}, { ownKeys: fails, get: fails, has: fails, getPrototypeOf: fails })],
    ['a Map that throws', Object.defineProperty(new Map(), Symbol.iterator, { value: fails })],
    ['bytes that are none', { baggage: Object.create(Uint8Array.prototype) as object }],
  ])('what cannot be had is absent, and the message is handled: %s', (_, headers) => {
    expect(clkOf(headers)).toBeUndefined()
    expect(waybillOf(kit, received(headers)).clk).toBeUndefined()
  })

  test('neighbours that bear the same bytes are alike, others are not, however they follow each other', () => {
    const tags = ['a', 'a', 'b', 'a', 'ab', 'b']
    const seen = tags.map((clk) => clkOf({ baggage: Buffer.from(`clk=${clk},waybill-depth=1`) }))
    expect(seen).toEqual(tags)
  })

  test('bytes that change after they were read change nothing', () => {
    const bytes = Buffer.from('clk=a,waybill-depth=1')
    expect(clkOf({ baggage: bytes })).toBe('a')
    bytes.write('clk=b')
    expect(clkOf({ baggage: bytes })).toBe('b')
    expect(clkOf({ baggage: Buffer.from('clk=a,waybill-depth=1') })).toBe('a')
  })

  test('a topic that is not believed gives an untagged waybill', () => {
    const own = createKit({ service: 'order', environment: 'test', trust: { topics: ['orders.*'] } })
    const clk = (topic: string): string | undefined =>
      waybillOf(own, { topic, message: { headers: { baggage: 'clk=me' } } }).clk
    expect([clk('orders.eu'), clk('audit')]).toEqual(['me', undefined])
  })
})

describe('waybillOf', () => {
  test('OBS-3 tells of each message, and the current waybill stays', () => {
    const messages = [{ baggage: Buffer.from('clk=a') }, { baggage: Buffer.from('clk=b') }, {}]
    const look = (): (string | undefined)[] =>
      messages.map((headers) => waybillOf(kit, received(headers)).clk)
    expect(look()).toEqual(['a', 'b', undefined])
    expect(tryCurrentWaybill()).toBeUndefined()
    withWaybill({ clk: 'outer' }, () => {
      expect(look()).toEqual(['a', 'b', undefined])
      expect(currentWaybill().clk).toBe('outer')
    })
    expect(events.of('adopted')).toEqual([])
  })
})

test('a waybill that outlives its message keeps neither its headers nor the fetch that they came with', async () => {
  // Where nobody listens, facts wait for the first look.
  events.stop()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const kept: unknown[] = []
  const arrive = (headers: Record<string, Buffer>): WeakRef<object>[] => {
    runWithMessage(kit, received(headers), () => kept.push(currentWaybill()))
    kept.push(waybillOf(kit, received(headers)))
    return [new WeakRef(headers), ...Object.values(headers).map((value) => new WeakRef(value.buffer))]
  }
  const slice = (text: string): Buffer => {
    const fetch = Buffer.alloc(100_000, text)
    return fetch.subarray(0, text.length)
  }
  const refs = [
    ...arrive({ baggage: slice('waybill-depth=1') }),
    ...arrive({ baggage: slice('waybill-depth=1'), a: slice('1') }),
  ]
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  expect(refs.filter((ref) => ref.deref() !== undefined)).toEqual([])
  expect(kept).toHaveLength(4)
})

import { Kafka, logLevel, type Consumer, type EachBatchPayload, type Producer } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { createKit, currentWaybill, tryCurrentWaybill, type Kit, type KitOptions } from '@waybill/core'
import { recordEvents, withWaybill, type EventRecorder } from '@waybill/core/testing'
import { kafkaWaybill, type ConsumerGroupChoice, type ForEachMessage, type WaybillKafka } from './index.js'

/** A kafkajs that connects to nobody and shows what it is handed. */
class Shown extends Kafka {
  readonly consumers: { config: unknown; run: ReturnType<typeof vi.fn>; on: ReturnType<typeof vi.fn> }[] = []
  readonly producers: { config: unknown; send: ReturnType<typeof vi.fn> }[] = []

  override producer(config?: Parameters<Kafka['producer']>[0]): Producer {
    const send = vi.fn(() => Promise.resolve([]))
    this.producers.push({ config, send })
    return {
      ...super.producer(config),
      send,
      transaction: async () => ({ ...super.producer(config), send }) as never,
    }
  }

  override consumer(config: Parameters<Kafka['consumer']>[0]): Consumer {
    const consumer = super.consumer(config)
    const run = vi.fn(() => Promise.resolve())
    const on = vi.fn(() => () => undefined)
    this.consumers.push({ config, run, on })
    return { ...consumer, run, on }
  }
}

const shown = (): Shown => new Shown({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING })
const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', baseline: true, ...options })
const kit = kitOf()

/** Hands a handler over through the wrapper, and gives what kafkajs would call. */
function handlers(from: Kit, config: Parameters<ReturnType<WaybillKafka<Kafka>['consumer']>['run']>[0]) {
  const host = shown()
  const clks = from.facts.clk === undefined ? {} : ({ group: 'own' } as const)
  void kafkaWaybill(from, host as Kafka)
    .consumer({ groupId: 'orders', ...clks })
    .run(config)
  return host.consumers[0]!.run.mock.calls[0]![0] as {
    eachMessage(payload: unknown): Promise<void>
    eachBatch(payload: unknown): Promise<void>
  }
}

const message = (baggage: string, offset = '0') => ({ offset, headers: { baggage: Buffer.from(baggage) } })

function batchOf(...messages: object[]) {
  return {
    batch: { topic: 'orders', partition: 0, messages },
    resolveOffset: vi.fn(),
    heartbeat: vi.fn(() => Promise.resolve()),
    isRunning: vi.fn(() => true),
    isStale: vi.fn(() => false),
  }
}

let events: EventRecorder
beforeEach(() => {
  events = recordEvents()
})
afterEach(() => {
  events.stop()
})

describe('the wrapper', () => {
  test('is a new object of the same shape, and the instance stays as it is', () => {
    const kafka = shown()
    const before = Reflect.ownKeys(kafka)
    const wrapper = kafkaWaybill(kit, kafka)
    expect(wrapper).not.toBe(kafka)
    expect(wrapper).toBeInstanceOf(Kafka)
    expect([wrapper.admin, wrapper.logger]).toEqual([kafka.admin, kafka.logger])
    expect(wrapper.logger()).toBe(kafka.logger())
    expect(Object.keys(wrapper.admin())).toEqual(Object.keys(kafka.admin()))
    expect(Reflect.ownKeys(kafka)).toEqual(before)
    const consumer = wrapper.consumer({ groupId: 'orders' })
    expect(Object.keys(consumer)).toEqual(Object.keys(kafka.consumer({ groupId: 'orders' })))
    expect(consumer.events).toEqual(kafka.consumer({ groupId: 'orders' }).events)
    expect(Object.keys(wrapper.producer())).toEqual(Object.keys(kafka.producer()))
  })

  test('context opentelemetry-js#4804 of a wrapper of the same kit is that wrapper, also by another copy of the package', async () => {
    const wrapper = kafkaWaybill(kit, shown())
    expect(kafkaWaybill(kit, wrapper)).toBe(wrapper)
    vi.resetModules()
    const copy = (await import('./index.js')) as { kafkaWaybill: typeof kafkaWaybill }
    expect(copy.kafkaWaybill).not.toBe(kafkaWaybill)
    expect(copy.kafkaWaybill(kit, wrapper)).toBe(wrapper)
    expect(kafkaWaybill(kitOf(), wrapper)).not.toBe(wrapper)
  })

  test.each<[string, string, readonly unknown[]]>([
    ['kit', 'a kit that createKit made, and got an object made by Object', [{}, shown()]],
    ['kit', 'a kit that createKit made, and got an object made by Shown', [shown(), kit]],
    ['kafka', 'a Kafka of kafkajs, and got undefined', [kit]],
    ['kafka', 'a Kafka of kafkajs, and got the function Client', [kit, Kafka]],
    ['kafka', 'a Kafka of kafkajs, and got an object made by Object', [kit, shown().producer()]],
    ['dedicatedHeaders', 'true or false, and got "yes"', [kit, shown(), { dedicatedHeaders: 'yes' }]],
    ['dedicated', 'there is no such option; one of dedicatedHeaders', [kit, shown(), { dedicated: true }]],
  ])('is refused a wrong %s: %s', (option, problem, args) => {
    expect(() => Reflect.apply(kafkaWaybill, undefined, args) as unknown).toThrow(
      expect.objectContaining({
        code: 'ERR_WAYBILL_CONFIGURATION',
        facts: {
          call: 'kafkaWaybill(kit, kafka, options)',
          option,
          problem: expect.stringContaining(problem),
        },
      }),
    )
  })

  test('has kafkajs’s own types, and ours', () => {
    const kafka = kafkaWaybill(kit, shown() as Kafka)
    expectTypeOf(kafka).toExtend<Kafka>()
    expectTypeOf(kafka.producer()).toExtend<Producer>()
    type Offsets = Parameters<Awaited<ReturnType<Producer['transaction']>>['sendOffsets']>[0]
    type Sent = Parameters<
      Awaited<ReturnType<ReturnType<typeof kafka.producer>['transaction']>>['sendOffsets']
    >[0]
    expectTypeOf<Sent>().toExtend<Offsets>()
    expectTypeOf<Sent['group']>().toEqualTypeOf<ConsumerGroupChoice | undefined>()
    const consumer = kafka.consumer({ groupId: 'orders', group: 'own' })
    expectTypeOf(consumer).toExtend<Consumer>()
    expectTypeOf(consumer.on).toEqualTypeOf<Consumer['on']>()
    type Payload = Parameters<NonNullable<NonNullable<Parameters<typeof consumer.run>[0]>['eachBatch']>>[0]
    expectTypeOf<Payload>().toExtend<EachBatchPayload>()
    expectTypeOf<Payload['forEachMessage']>().toEqualTypeOf<
      ForEachMessage<EachBatchPayload['batch']['messages'][number]>
    >()
  })

  test('hands the settings of producer and consumer on, but for group', () => {
    const kafka = shown()
    const wrapper = kafkaWaybill(kit, kafka)
    const settings = { idempotent: true, maxInFlightRequests: 1 }
    wrapper.producer(settings)
    wrapper.consumer({ groupId: 'orders', group: 'shared', maxBytes: 7 })
    expect(kafka.producers[0]!.config).toBe(settings)
    expect(kafka.consumers[0]!.config).toEqual({ groupId: 'orders', maxBytes: 7 })
  })

  test('leaves a consumer without a group to kafkajs’s own error', () => {
    const wrapper = kafkaWaybill(kitOf({ baseline: false }), shown())
    for (const config of [undefined, {}, { groupId: '' }]) {
      expect(() => wrapper.consumer(config as never)).toThrow('Consumer groupId must be a non-empty string.')
    }
  })

  test.each([
    ['a String', { groupId: new String('orders') }, 'orders'],
    ['a number', { groupId: 42 }, '42'],
    ['a list', { groupId: ['orders'] }, 'orders'],
    ['an inherited one', Object.create({ groupId: 'orders', maxBytes: 7 }) as object, 'orders'],
  ])('judges the name of the group that is joined then, whatever stands for it: %s', (_, config, name) => {
    const join = (options: KitOptions, group?: ConsumerGroupChoice): unknown => {
      const kafka = shown()
      kafkaWaybill(kitOf(options), kafka).consumer(
        Object.defineProperty(config, 'group', { value: group, configurable: true }) as never,
      )
      return kafka.consumers[0]!.config
    }
    const own = { baseline: false, clks: 'alice' }
    expect(() => join(own)).toThrow(/ERR_WAYBILL_SHARED_GROUP/)
    expect(join(own, 'own')).toMatchObject({ groupId: `${name}__clk__alice` })
    const joined = join({}) as { readonly groupId: unknown; readonly maxBytes?: unknown }
    expect(joined.groupId).toBe(name)
    expect(joined.maxBytes).toBe((config as { readonly maxBytes?: number }).maxBytes)
  })

  test('of another kit’s wrapper joins, and commits to, the one group of this process', async () => {
    const own = { baseline: false, clks: 'alice' }
    const kafka = shown()
    const sendOffsets = vi.fn((_offsets: unknown) => Promise.resolve())
    vi.spyOn(kafka, 'producer').mockReturnValue({
      ...kafka.producer(),
      transaction: () => Promise.resolve({ ...kafka.producer(), sendOffsets } as never),
    })
    const twice = kafkaWaybill(kitOf(own), kafkaWaybill(kitOf(own), kafka as Kafka) as Kafka)
    const transaction = await twice.producer().transaction()
    await transaction.sendOffsets({ consumerGroupId: 'orders', group: 'own', topics: [] })
    twice.consumer({ groupId: 'orders', group: 'own' })
    await transaction.sendOffsets({ consumerGroupId: 'orders', topics: [] })
    const group = 'orders__clk__alice'
    expect(kafka.consumers[0]!.config).toEqual({ groupId: group })
    expect(sendOffsets.mock.calls).toEqual(Array(2).fill([{ consumerGroupId: group, topics: [] }]))
    expect(events.of('audit').filter(({ action }) => action === 'own-group')).toHaveLength(1)
  })

  test('asks again to which group offsets go where consumers of one name have chosen differently', async () => {
    const kafka = shown()
    const sendOffsets = vi.fn((_offsets: unknown) => Promise.resolve())
    vi.spyOn(kafka, 'producer').mockReturnValue({
      ...kafka.producer(),
      transaction: () => Promise.resolve({ ...kafka.producer(), sendOffsets } as never),
    })
    const wrapper = kafkaWaybill(kitOf({ baseline: false, clks: 'alice' }), kafka)
    const transaction = await wrapper.producer().transaction()
    for (const group of ['own', 'own', 'shared', 'own'] as const)
      wrapper.consumer({ groupId: 'orders', group })
    await expect(transaction.sendOffsets({ consumerGroupId: 'orders', topics: [] })).rejects.toMatchObject({
      code: 'ERR_WAYBILL_SHARED_GROUP',
    })
    await transaction.sendOffsets({ consumerGroupId: 'orders', group: 'shared', topics: [] })
    expect(sendOffsets.mock.calls).toEqual([[{ consumerGroupId: 'orders', topics: [] }]])
  })

  test('wraps what transaction() gives', async () => {
    const kafka = shown()
    const producer = kafkaWaybill(kit, kafka).producer()
    const transaction = await producer.transaction()
    await withWaybill({ clk: 'me' }, () => transaction.send({ topic: 'a', messages: [{ value: '1' }] }))
    expect(kafka.producers[0]!.send).toHaveBeenCalledWith({
      topic: 'a',
      messages: [{ value: '1', headers: { baggage: Buffer.from('clk=me,waybill-depth=1') } }],
    })
  })

  test('hands the offsets of a transaction on, but for group, and leaves what has none to kafkajs', async () => {
    const kafka = shown()
    const sendOffsets = vi.fn((_offsets: unknown) => Promise.resolve())
    const transaction = { ...kafka.producer(), sendOffsets }
    vi.spyOn(kafka, 'producer').mockReturnValue({
      ...kafka.producer(),
      transaction: () => Promise.resolve(transaction as never),
    })
    const wrapped = await kafkaWaybill(kitOf({ baseline: false, clks: 'alice' }), kafka)
      .producer()
      .transaction()
    await wrapped.sendOffsets({ consumerGroupId: 'orders', group: 'own', topics: [] })
    for (const mistake of [{ consumerGroupId: '', topics: [] }, {}])
      await wrapped.sendOffsets(mistake as never)
    expect(sendOffsets.mock.calls).toEqual([
      [{ consumerGroupId: 'orders__clk__alice', topics: [] }],
      [{ consumerGroupId: '', topics: [] }],
      [{}],
    ])
  })

  test('writes the dedicated headers where that was said', async () => {
    const kafka = shown()
    const producer = kafkaWaybill(kit, kafka, { dedicatedHeaders: true }).producer()
    await withWaybill({ clk: 'me' }, () => producer.send({ topic: 'a', messages: [{ value: '1' }] }))
    expect(kafka.producers[0]!.send).toHaveBeenCalledWith({
      topic: 'a',
      messages: [
        { value: '1', headers: { clk: Buffer.from('me'), baggage: Buffer.from('clk=me,waybill-depth=1') } },
      ],
    })
  })

  test('is the identity for a disabled kit, but for the guard and forEachMessage', async () => {
    const own = kitOf({ disabled: true, baseline: false, clks: 'alice' })
    const kafka = shown()
    const producer = kafkaWaybill(own, kafka).producer()
    const record = { topic: 'a', messages: [{ value: '1' }] }
    await withWaybill({ clk: 'me' }, () => producer.send(record))
    expect(kafka.producers[0]!.send.mock.calls[0]![0]).toBe(record)
    expect(() => kafkaWaybill(own, kafka).consumer({ groupId: 'orders' })).toThrow(/ERR_WAYBILL_SHARED_GROUP/)
    const transaction = await producer.transaction()
    await expect(transaction.sendOffsets({ consumerGroupId: 'orders', topics: [] })).rejects.toThrow(
      /ERR_WAYBILL_SHARED_GROUP/,
    )
    const seen: unknown[] = []
    const { eachBatch } = handlers(own, {
      eachBatch: ({ forEachMessage }) =>
        forEachMessage(({ offset }) => seen.push([offset, tryCurrentWaybill()?.clk])),
    })
    await withWaybill({ clk: 'outer' }, () =>
      eachBatch(batchOf(message('clk=alice', '1'), message('clk=bob', '2'))),
    )
    expect(seen).toEqual([['1', 'outer']])
  })
})

describe('eachMessage', () => {
  test('Papooch/nestjs-cls#127, OBS-14 runs in the message’s waybill, never in the scope in which run was called', async () => {
    const seen: unknown[] = []
    const payloads = ['clk=a', 'clk=b', ''].map((baggage) => ({ topic: 'orders', message: message(baggage) }))
    const { eachMessage } = withWaybill({ clk: 'one', shardKey: '1' }, () =>
      handlers(kit, {
        eachMessage: async (payload) => {
          await Promise.resolve()
          seen.push([
            payload === (payloads[seen.length] as unknown),
            currentWaybill().clk,
            currentWaybill().shardKey,
          ])
        },
      }),
    )
    for (const payload of payloads) await eachMessage(payload)
    expect(seen).toEqual(['a', 'b', undefined].map((clk) => [true, clk, undefined]))
  })

  test('passes over what a group of one’s own does not handle', async () => {
    const seen: unknown[] = []
    const { eachMessage } = handlers(kitOf({ baseline: false, clks: 'alice' }), {
      eachMessage: async () => void seen.push(currentWaybill().clk),
    })
    for (const baggage of ['clk=bob', 'clk=alice', '']) {
      await eachMessage({ topic: 'orders', message: message(baggage) })
    }
    expect(seen).toEqual(['alice'])
    expect(events.of('adopted')).toHaveLength(1)
  })
})

describe('eachBatch', () => {
  test('runs in no scope, and leaves kafkajs’s payload as it is', async () => {
    const payload = Object.freeze(batchOf(message('clk=a')))
    let seen: unknown
    const { eachBatch } = handlers(kit, {
      eachBatch: async (extended) => {
        seen = [tryCurrentWaybill(), { ...extended, forEachMessage: undefined }]
      },
    })
    await withWaybill({ clk: 'one' }, () => eachBatch(payload))
    expect(seen).toEqual([undefined, { ...payload, forEachMessage: undefined }])
  })

  test('D2-14, OBS-2 forEachMessage runs each message in its own waybill, one after the other', async () => {
    const seen: unknown[] = []
    const { eachBatch } = handlers(kit, {
      eachBatch: async ({ forEachMessage }) => {
        await forEachMessage(async ({ offset }) => {
          seen.push(`${offset} begins`)
          await new Promise((resolve) => setImmediate(resolve))
          seen.push([offset, currentWaybill().clk])
        })
        seen.push(tryCurrentWaybill())
      },
    })
    const payload = batchOf(message('clk=a', '1'), message('clk=b', '2'), message('', '3'))
    await eachBatch(payload)
    expect(seen).toEqual([
      '1 begins',
      ['1', 'a'],
      '2 begins',
      ['2', 'b'],
      '3 begins',
      ['3', undefined],
      undefined,
    ])
    expect([payload.resolveOffset, payload.heartbeat].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  })

  test('forEachMessage resolves and heartbeats behind each message where that is asked, and ends with the first error', async () => {
    const payload = batchOf(message('', '1'), message('', '2'), message('', '3'))
    const broken = new Error('no')
    const { eachBatch } = handlers(kit, {
      eachBatch: ({ forEachMessage }) =>
        forEachMessage(
          ({ offset }) => {
            if (offset === '3') throw broken
          },
          { resolve: true, heartbeat: true },
        ),
    })
    await expect(eachBatch(payload)).rejects.toBe(broken)
    expect(payload.resolveOffset.mock.calls).toEqual([['1'], ['2']])
    expect(payload.heartbeat).toHaveBeenCalledTimes(2)
  })

  test.each([
    ['stops', { isRunning: false }],
    ['becomes stale', { isStale: true }],
  ])(
    'forEachMessage ends before the next message when the consumer %s',
    async (_, { isRunning, isStale }: { isRunning?: boolean; isStale?: boolean }) => {
      const payload = batchOf(message('', '1'), message('', '2'))
      const seen: string[] = []
      const { eachBatch } = handlers(kit, {
        eachBatch: ({ forEachMessage }) =>
          forEachMessage(({ offset }) => {
            seen.push(offset)
            if (isRunning !== undefined) payload.isRunning.mockReturnValue(isRunning)
            if (isStale !== undefined) payload.isStale.mockReturnValue(isStale)
          }),
      })
      await eachBatch(payload)
      expect(seen).toEqual(['1'])
    },
  )
})

describe('listeners of a consumer', () => {
  test('OBS-14 run in no scope, and on() still gives the function that removes them', () => {
    const kafka = shown()
    const consumer = withWaybill({ clk: 'one' }, () =>
      kafkaWaybill(kit, kafka as Kafka).consumer({ groupId: 'orders' }),
    )
    const remove = (): void => undefined
    kafka.consumers[0]!.on.mockReturnValue(remove)
    const seen: unknown[] = []
    expect(consumer.on('consumer.fetch', (event) => seen.push(event, tryCurrentWaybill()))).toBe(remove)
    const [name, listener] = kafka.consumers[0]!.on.mock.calls[0] as [string, (event: unknown) => void]
    withWaybill({ clk: 'one' }, () => {
      listener('event')
    })
    expect([name, ...seen]).toEqual(['consumer.fetch', 'event', undefined])
  })
})

test('OBS-14 what kafkajs starts for a consumer is started in no scope', () => {
  const kafka = shown()
  const consumer = kafkaWaybill(kit, kafka as Kafka).consumer({ groupId: 'orders' })
  const seen: unknown[] = []
  kafka.consumers[0]!.run.mockImplementation(() => seen.push(tryCurrentWaybill()))
  withWaybill({ clk: 'one' }, () => void consumer.run({}))
  expect(seen).toEqual([undefined])
})

test.each([[undefined], [{}], [{ autoCommit: false, eachMessage: undefined }]])(
  'run(%o) is kafkajs’s own',
  (config) => {
    const kafka = shown()
    void kafkaWaybill(kit, kafka as Kafka)
      .consumer({ groupId: 'orders' })
      .run(config as never)
    expect(kafka.consumers[0]!.run.mock.calls).toEqual([[config]])
  },
)

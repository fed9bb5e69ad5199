import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adopt } from './adopt.js'
import { carrierOf } from './carrier.js'
import type { Call, Reply } from './call.js'
import { currentWaybill, runWithWaybill, tryCurrentWaybill } from './index.js'
import type { KitOptions } from './kit-options.js'
import { createKit, type Kit } from './kit.js'
import type { OutgoingMessage, OutgoingTask } from './outgoing-call.js'
import { performCall } from './perform-call.js'
import { runOutside } from './scope.js'
import { stampFor } from './send-attempt.js'
import type { Stamp } from './stamp.js'
import { recordEvents, withWaybill, type EventRecorder } from './testing.js'

const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', ...options })
const kit = kitOf()

const REPLY: Reply = { header: () => undefined, value: undefined, done: Promise.resolve() }

/** What a call hands over is stamped with: the call's own stamp, and that of each carrier. */
async function stamps(
  from: Kit,
  outgoing: OutgoingMessage | OutgoingTask,
  ...carriers: Readonly<Record<string, string>>[]
): Promise<{ call: Call; all: Stamp; each: Stamp[] }> {
  let seen: { call: Call; all: Stamp; each: Stamp[] } | undefined
  await performCall(from, outgoing, (call, all) => {
    seen = { call, all, each: carriers.map((headers) => stampFor(call, (name) => headers[name])) }
    return Promise.resolve(REPLY)
  })
  return seen!
}

const send = (topic: string, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  kind: 'message',
  topic,
  ...more,
})

let events: EventRecorder
beforeEach(() => {
  events = recordEvents()
})
afterEach(() => {
  events.stop()
})

describe('messages of one send', () => {
  test('bear the one header, a hop deeper', async () => {
    const { call, all } = await withWaybill({ clk: 'me', shardKey: '7', depth: 2 }, () =>
      stamps(kit, send('orders')),
    )
    expect(all).toEqual({ set: [['baggage', 'clk=me,shard-key=7,waybill-depth=3']], remove: [] })
    expect(call).toMatchObject({ kind: 'message', topic: 'orders', method: 'SEND', fleet: true })
    expect(call.url).toBeUndefined()
    expect(events.of('injected')).toMatchObject([{ kind: 'message', topic: 'orders', clk: 'me' }])
  })

  test('and the dedicated ones besides, where that was said', async () => {
    const { all } = await withWaybill({ clk: 'me' }, () =>
      stamps(kit, send('orders', { dedicatedHeaders: true })),
    )
    expect(all.set).toEqual([
      ['clk', 'me'],
      ['baggage', 'clk=me,waybill-depth=1'],
    ])
  })

  test('keep the members of others, each its own', async () => {
    const { each } = await withWaybill({ clk: 'me' }, () =>
      stamps(kit, send('orders'), { baggage: 'a=1' }, {}, { baggage: 'clk=bob,b=2' }),
    )
    expect(each.map(({ set }) => set)).toEqual([
      [['baggage', 'clk=me,waybill-depth=1,a=1']],
      [['baggage', 'clk=me,waybill-depth=1']],
      [['baggage', 'clk=me,waybill-depth=1,b=2']],
    ])
    expect(events.of('conflict')).toMatchObject([{ field: 'clk', kept: 'waybill' }])
  })

  test('lose names of ours that the caller put there; one that says the same is no conflict', async () => {
    const { each } = await withWaybill({ clk: 'me' }, () =>
      stamps(kit, send('orders'), { clk: 'me' }, { clk: 'bob' }),
    )
    expect(each.map(({ remove }) => remove)).toEqual([['clk'], ['clk']])
    expect(events.of('conflict')).toHaveLength(1)
  })

  test('to a topic that is not believed bear nothing of ours', async () => {
    const own = kitOf({ trust: { topics: ['orders.*'] } })
    const { call, all, each } = await withWaybill({ clk: 'me' }, () =>
      stamps(own, send('audit'), { clk: 'me', baggage: 'clk=me,a=1' }),
    )
    expect([call.fleet, all]).toEqual([false, { set: [], remove: [] }])
    expect(each).toEqual([{ set: [['baggage', 'a=1']], remove: ['clk'] }])
    expect(own.counters).toMatchObject({ injected: 0, dropped: { LEAVES_FLEET: 2 } })
  })

  test('are never refused for their depth', async () => {
    const { all } = await withWaybill({ depth: 40 }, () => stamps(kit, send('orders')))
    expect(all.set).toEqual([['baggage', 'waybill-depth=41']])
  })
})

describe('a message handed on', () => {
  test('with its own baggage unchanged keeps its depth, however often', async () => {
    let baggage = 'clk=me,waybill-depth=3,a=1'
    for (let round = 0; round < 20; round++) {
      const adopted = adopt(kit, {
        kind: 'message',
        topic: 'orders.retry',
        carrier: carrierOf({ baggage }),
        inbound: 'peer',
        peer: undefined,
        method: undefined,
        url: undefined,
      })
      const { each } = await adopted.run(() => stamps(kit, send('orders.retry'), { baggage }))
      baggage = each[0]!.set[0]![1]
    }
    expect(baggage).toBe('clk=me,waybill-depth=3,a=1')
    expect(events.of('conflict')).toEqual([])
  })

  test('with new headers is a hop deeper', async () => {
    const { each } = await withWaybill({ clk: 'me', depth: 3 }, () => stamps(kit, send('orders'), {}))
    expect(each[0]!.set).toEqual([['baggage', 'clk=me,waybill-depth=4']])
  })

  test('outside of any request goes by its own headers, one without by the process', async () => {
    const own = kitOf({ clks: 'alice' })
    const { all, each } = await stamps(own, send('orders'), { baggage: 'clk=bob,waybill-depth=2' }, {})
    expect(all.set).toEqual([['baggage', 'clk=alice,waybill-depth=1']])
    expect(each.map(({ set }) => set)).toEqual([
      [['baggage', 'clk=bob,waybill-depth=2']],
      [['baggage', 'clk=alice,waybill-depth=1']],
    ])
  })

  test('an interceptor that replaced the waybill has the last word', async () => {
    const other = withWaybill({ clk: 'carol' }, () => currentWaybill())
    const own = kitOf({ interceptors: [(next) => (call) => next({ ...call, waybill: other })] })
    const { each } = await stamps(own, send('orders'), { baggage: 'clk=bob,waybill-depth=2' })
    expect(each[0]!.set).toEqual([['baggage', 'clk=carol,waybill-depth=1']])
  })
})

describe('a task', () => {
  test('is no hop: its depth is the submitter’s, and it is not refused', async () => {
    const { call, all } = await withWaybill({ clk: 'me', depth: 40 }, () => stamps(kit, { kind: 'task' }))
    expect(all.set).toContainEqual(['baggage', 'clk=me,waybill-depth=40'])
    expect(call).toMatchObject({ kind: 'task', method: 'RUN', fleet: true })
  })

  test('leaves the next call of the same request a hop deeper', async () => {
    await withWaybill({ clk: 'me', depth: 1 }, async () => {
      await stamps(kit, { kind: 'task' })
      expect((await stamps(kit, send('orders'))).all.set).toEqual([['baggage', 'clk=me,waybill-depth=2']])
    })
  })
})

describe('outside of every scope on purpose', () => {
  test('code runs in none, whatever scope it was called in, and its calls are told of with the remedy', async () => {
    const own = kitOf({ clks: 'alice' })
    adopt(own, {
      kind: 'message',
      topic: 'orders',
      carrier: carrierOf({}),
      inbound: 'peer',
      peer: undefined,
      method: undefined,
      url: undefined,
    })
    const { all } = await withWaybill({ clk: 'bob' }, () =>
      runOutside('Read the page: docs/page.md#batches', async () => {
        await Promise.resolve()
        expect(tryCurrentWaybill()).toBeUndefined()
        return stamps(own, send('orders'))
      }),
    )
    expect(all.set).toEqual([['baggage', 'clk=alice,waybill-depth=1']])
    expect(events.of('lost')).toMatchObject([
      { kind: 'message', remedy: 'Read the page: docs/page.md#batches' },
    ])
  })

  test('a scope that is entered there is one', () => {
    const seen = runOutside('Nothing.', () => {
      const waybill = withWaybill({ clk: 'bob' }, currentWaybill)
      return runWithWaybill(waybill, () => tryCurrentWaybill()?.clk)
    })
    expect(seen).toBe('bob')
  })
})

import { describe, expect, test } from 'vitest'
import type { Interceptor, Next } from './call.js'
import { edgeVary } from './edge-vary.js'
import {
  bindShardKey,
  createKit,
  currentWaybill,
  runWithWaybill,
  tryCurrentWaybill,
  WaybillError,
  type Facts,
  type KitOptions,
} from './index.js'
import { listenerInbound } from './listener-inbound.js'
import { expectCarried, memoryHop, recordEvents, withWaybill } from './testing.js'

const order = createKit({ service: 'order', environment: 'test' })
const inventory = createKit({ service: 'inventory', environment: 'test' })

test('S2-1 what was set before the hop is read after it', async () => {
  const hop = memoryHop(order, {
    kit: inventory,
    handler: () => {
      const { clk, shardKey, hopCount, depth } = currentWaybill()
      return { clk, shardKey, hopCount, depth }
    },
  })
  const reply = await withWaybill({ clk: 'alice', shardKey: '泳道', hopCount: 1, depth: 3 }, () =>
    hop({ url: 'http://inventory/stock/42' }),
  )
  expect(reply.value).toEqual({ clk: 'alice', shardKey: '泳道', hopCount: 1, depth: 4 })
})

test('a call outside of any request is sent with the headers that the caller put on it', async () => {
  const hop = memoryHop(order, { kit: inventory, handler: (headers) => headers })
  const reply = await hop({ url: 'http://inventory/', headers: { clk: 'me', 'x-own': '1', baggage: 'a=1' } })
  expect(reply.value).toEqual({ clk: 'me', 'x-own': '1', baggage: 'clk=me,waybill-depth=1,a=1' })
})

test('the waybill wins over names of ours on a call inside a request, and says so', async () => {
  const events = recordEvents(['conflict'])
  const hop = memoryHop(order, { kit: inventory, handler: (headers) => headers })
  const reply = await withWaybill({ clk: 'alice' }, () =>
    hop({ url: 'http://inventory/', headers: { clk: 'mallory', baggage: 'a=1,%63lk=mallory' } }),
  )
  events.stop()
  expect(reply.value).toEqual({ clk: 'alice', baggage: 'clk=alice,waybill-depth=1,a=1' })
  withWaybill({ clk: 'alice' }, () => expectCarried(reply.value))
  expect(events.of('conflict').map((event) => event.field)).toEqual(['clk', 'clk'])
})

test('a host outside of the fleet gets nothing of ours', async () => {
  const hop = memoryHop(order, { kit: inventory, handler: (headers) => headers })
  const reply = await withWaybill({ clk: 'alice' }, () =>
    hop({
      url: 'http://api.example.com/',
      headers: { clk: 'alice', baggage: 'a=1, clk=alice', 'x-own': '1' },
    }),
  )
  expect(reply.value).toEqual({ baggage: 'a=1', 'x-own': '1' })
})

test('another tag is chosen by with()', async () => {
  const hop = memoryHop(order, { kit: inventory, handler: () => currentWaybill().clk })
  const reply = await withWaybill({ clk: 'alice' }, () =>
    runWithWaybill(currentWaybill().with({ clk: 'Bob ' }), () => hop({ url: 'http://inventory/' })),
  )
  expect(reply.value).toBe('bob')
})

describe('detached work', () => {
  test('is a request of its own, each time: the root waybill', () => {
    const laptop = createKit({ service: 'order', environment: 'test', clks: ['carol.*', 'team'] })
    const facts = laptop.detached(function (this: unknown, ...args: number[]) {
      const { clk, shardKey, hopCount, targetUnit, depth } = currentWaybill()
      bindShardKey(String(args[0]))
      return [this, args, clk, shardKey, hopCount, targetUnit, depth]
    })
    withWaybill({ clk: 'alice', shardKey: '7', hopCount: 1, targetUnit: 'sz', depth: 9 }, () => {
      expect(facts.call('me', 1, 2)).toEqual(['me', [1, 2], 'carol', undefined, 0, undefined, 0])
      expect(facts.call('me', 3)).toEqual(['me', [3], 'carol', undefined, 0, undefined, 0])
      expect(currentWaybill().clk).toBe('alice')
    })
    expect(order.detached(() => currentWaybill().clk)()).toBeUndefined()
  })

  test("with inherit each call has its maker's facts and key, in a request of its own", () => {
    const laptop = createKit({ service: 'order', environment: 'test', clks: 'carol' })
    const facts = (): unknown[] => {
      const { clk, shardKey, hopCount, targetUnit, depth } = currentWaybill()
      return [clk, shardKey, hopCount, targetUnit, depth]
    }
    const [inherited, keyless] = withWaybill(
      { clk: 'alice', hopCount: 1, targetUnit: 'sz', depth: 9 },
      () => {
        const bind = laptop.detached((key: string) => void bindShardKey(key), { inherit: true })
        bind('1')
        bind('2')
        expect(currentWaybill().shardKey).toBeUndefined()
        bindShardKey('7')
        return [laptop.detached(facts, { inherit: true }), bind]
      },
    )
    expect(inherited()).toEqual(['alice', '7', 1, 'sz', 9])
    expect(withWaybill({ clk: 'bob' }, inherited)).toEqual(['alice', '7', 1, 'sz', 9])
    expect(() => keyless('8')).not.toThrow()
    expect(laptop.detached(facts, { inherit: true })()).toEqual(['carol', undefined, 0, undefined, 0])
  })
})

describe('switched off', () => {
  test('by option or at once, told once, for good', () => {
    const events = recordEvents(['audit'])
    const kit = createKit({ service: 'order', environment: 'test' })
    expect(kit.disabled).toBe(false)
    kit.disable()
    kit.disable()
    expect(kit.disabled).toBe(true)
    expect(createKit({ service: 'order', environment: 'test', disabled: true }).disabled).toBe(true)
    events.stop()
    expect(events.of('audit').map(({ action }) => action)).toEqual(['disable', 'disable'])
  })

  test.each([false, true])(
    'detached work runs in no scope, and not in that of its maker: inherit %s',
    (inherit) => {
      const kit = createKit({ service: 'order', environment: 'test' })
      const [before, after] = withWaybill({ clk: 'me' }, () => {
        const made = kit.detached(() => tryCurrentWaybill(), { inherit })
        kit.disable()
        return [made, kit.detached(() => tryCurrentWaybill(), { inherit })]
      })
      expect([before(), after()]).toEqual([undefined, undefined])
      expect(withWaybill({ clk: 'you' }, () => [before(), after()])).toEqual([undefined, undefined])
    },
  )
})

describe('what createKit refuses', () => {
  const pass: Interceptor = (next) => next
  const judge: Interceptor = Object.assign(((next) => next) as Interceptor, { needs: 'target' as const })
  const route: Interceptor = Object.assign(((next) => next) as Interceptor, { sets: 'target' as const })

  test.each<[string, KitOptions, string]>([
    ['D0-8 no environment', { environment: '' }, 'environment'],
    ['interceptors that are no list', { interceptors: pass as never }, 'interceptors'],
    ['an interceptor that is no function', { interceptors: [pass, {} as never] }, 'interceptors[1]'],
    ['a judge of the target before who sets it', { interceptors: [judge, route] }, 'interceptors[0]'],
    ['a word for adoptOwnClk', { adoptOwnClk: 'always' as never }, 'adoptOwnClk'],
    ['peers', { trust: { peers: ['abc'] } }, 'trust.peers'],
    ['edgeFrom', { trust: { edgeFrom: ['body:clk'] } }, 'trust.edgeFrom'],
    ['edgeFrom that is no list', { trust: { edgeFrom: 'header' as never } }, 'trust.edgeFrom'],
    ['outbound', { trust: { outbound: ['http://x'] } }, 'trust.outbound'],
    ['notServices', { trust: { notServices: 'redis' as never } }, 'trust.notServices'],
    ['services', { services: { 'a.b': {} } }, 'services.a.b'],
    ['names', { names: { clk: { header: 'baggage' } } }, 'names.clk.header'],
    ['aliases', { aliases: { x: 'read' } as never }, 'aliases.x'],
    ['fields', { fields: { clk: {} } }, 'fields.clk'],
  ])('%s', (_, options, option) => {
    expect(() => createKit({ service: 'order', environment: 'test', ...options })).toThrow(
      expect.objectContaining({
        code: 'ERR_WAYBILL_CONFIGURATION',
        facts: expect.objectContaining({ option }),
      }),
    )
  })

  test('D0-7 who needs a cell refuses to start without one', () => {
    const barrier: Interceptor = Object.assign(((next) => next) as Interceptor, {
      prepare({ cell }: Facts) {
        if (cell === undefined) throw new WaybillError('ERR_WAYBILL_CONFIGURATION', { option: 'cell' })
      },
    })
    const options = { service: 'order', environment: 'test', interceptors: [barrier] }
    expect(() => createKit(options)).toThrow(/cell/)
    expect(createKit({ ...options, cell: ' SZ ' }).facts.cell).toBe('sz')
  })

  test('adapters are told where their kit is none', async () => {
    for (const other of [undefined, {}, { facts: {} }]) {
      expect(() =>
        memoryHop(order, { kit: other as never, handler: () => undefined, inbound: 'peer' }),
      ).not.toThrow()
      const hop = memoryHop(other as never, { kit: inventory, handler: () => undefined })
      await expect(hop({ url: 'http://inventory/' })).rejects.toMatchObject({
        code: 'ERR_WAYBILL_CONFIGURATION',
      })
    }
  })

  test('a listener: another word for inbound, and peer in production without peers', () => {
    const production = createKit({ service: 'o', environment: 'production', trust: { inbound: 'public' } })
    expect(() => listenerInbound(order, 'open' as never)).toThrow(/inbound/)
    expect(() => listenerInbound(production, 'peer')).toThrow(/trust\.peers/)
    expect([listenerInbound(production, undefined), listenerInbound(production, 'edge')]).toEqual([
      'public',
      'edge',
    ])
    expect([edgeVary(order, 'edge'), edgeVary(order, 'peer'), edgeVary(production, 'edge')]).toEqual([
      'clk',
      undefined,
      undefined,
    ])
  })
})

test.each([{ nonsense: true }, { trust: { peer: ['10.0.0.0/8'] } }])(
  'an option that there is not is refused by name: %j',
  (extra) => {
    const options = { service: 'o', environment: 'test', ...extra } as KitOptions
    expect(() => createKit(options)).toThrow(/there is no such option/)
  },
)

test('a kit that an interceptor refused leaves no field behind', () => {
  const refuse = Object.assign((next: Next): Next => next, {
    prepare() {
      throw new Error('refused on purpose')
    },
  })
  const base = { service: 'o', environment: 'test' }
  expect(() =>
    createKit({ ...base, fields: { later: { baggage: 'later' } }, interceptors: [refuse] }),
  ).toThrow('refused on purpose')
  expect(() => createKit({ ...base, fields: { later: {} } })).not.toThrow()
})

test('detectLoss: false reports no call outside of a request', async () => {
  const events = recordEvents(['lost'])
  for (const detectLoss of [false, true]) {
    const kit = createKit({ service: 'order', environment: 'test', detectLoss })
    const hop = memoryHop(kit, { kit, handler: () => undefined })
    await hop({ url: 'http://order/' })
    const told = events.of('lost').length
    await hop({ url: 'http://order/' })
    expect(events.of('lost').length - told).toBe(detectLoss ? 1 : 0)
  }
  events.stop()
})

import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { adopt } from './adopt.js'
import type { Call, Interceptor, Reply } from './call.js'
import { HttpCarrier } from './carrier.js'
import { openCallSeam } from './carry-call.js'
import { WaybillError } from './errors.js'
import type { KitOptions } from './kit-options.js'
import { createKit, type Kit } from './kit.js'
import {
  actFor,
  bindShardKey,
  bindWaybill,
  currentWaybill,
  runWithWaybill,
  tryCurrentWaybill,
} from './index.js'
import type { OutgoingRequest } from './outgoing-call.js'
import { performCall } from './perform-call.js'
import type { Stamp } from './stamp.js'
import type { StampedAttempts } from './stamped-attempts.js'
import { memoryHop, recordEvents, withWaybill, type EventRecorder } from './testing.js'
import { rendezvous } from './rendezvous.js'

const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', ...options })
const kit = kitOf()
const inventory = kitOf({ service: 'inventory' })

const TO_B: OutgoingRequest = {
  kind: 'http',
  url: new URL('http://b/'),
  method: 'GET',
  headers: () => undefined,
  body: 'none',
  idempotent: true,
}

interface Sent extends Stamp {
  readonly call: Call
}

/** Performs a call and tells what each attempt was stamped with. */
async function attempts(
  from: Kit,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  more: Partial<OutgoingRequest> & { reply?: Partial<Reply> } = {},
): Promise<Sent[]> {
  const sent: Sent[] = []
  await performCall(
    from,
    {
      kind: 'http',
      url: new URL(url),
      method: 'GET',
      headers: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
      body: 'none',
      idempotent: true,
      ...more,
    },
    async (call, stamp) => {
      sent.push({ call, ...stamp })
      return {
        status: 200,
        header: () => undefined,
        value: undefined,
        done: Promise.resolve(),
        ...more.reply,
      }
    },
  )
  return sent
}

async function stampOf(
  ...call: Parameters<typeof attempts>
): Promise<{ set: Record<string, string>; remove: readonly string[] }> {
  const [{ set, remove }] = (await attempts(...call)) as [Sent]
  expect(new Set(set.map(([name]) => name)).size).toBe(set.length)
  return { set: Object.fromEntries(set), remove }
}

let events: EventRecorder
beforeEach(() => {
  events = recordEvents()
})
afterEach(() => {
  events.stop()
})

describe('every call of a request carries its waybill', () => {
  test.each(['routing-34', 'context apache/dubbo#469', 'context apache/dubbo#8121', 'D2-13'])(
    '%s the first, the second and the third',
    async () => {
      const stamps = await withWaybill({ clk: 't', shardKey: '7' }, async () => [
        await stampOf(kit, 'http://b/'),
        await stampOf(kit, 'http://c/'),
        await stampOf(kit, 'http://b/'),
      ])
      for (const { set } of stamps) {
        expect(set).toEqual({ clk: 't', 'x-shard-key': '7', baggage: 'clk=t,shard-key=7,waybill-depth=1' })
      }
    },
  )

  test('context apache/dubbo#2023 hedged calls in parallel', async () => {
    const stamps = await withWaybill({ clk: 't' }, () =>
      Promise.all([1, 2, 3].map(() => stampOf(kit, 'http://b/'))),
    )
    expect(stamps.map(({ set }) => set['clk'])).toEqual(['t', 't', 't'])
  })

  test.each(['routing-38', 'context apache/dubbo#2323'])(
    '%s overlapping calls each see their own, a thousand rounds',
    async () => {
      const call = (clk: string): Promise<unknown> =>
        withWaybill({ clk }, async () => {
          const { set } = await stampOf(kit, 'http://b/')
          return [set['clk'], currentWaybill().clk]
        })
      for (let round = 0; round < 1000; round++) {
        expect(await Promise.all([call('a'), call('b')])).toEqual([
          ['a', 'a'],
          ['b', 'b'],
        ])
      }
    },
  )

  test('context moleculerjs/moleculer#247 context moleculerjs/moleculer#581 context moleculerjs/moleculer#902 nothing is handed on by hand', async () => {
    const { set } = await withWaybill({ clk: 'me' }, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return stampOf(kit, 'http://b/')
    })
    expect(set['clk']).toBe('me')
  })

  test('routing-36 what belongs to one call is not on the next; what belongs to the request is on both', async () => {
    await withWaybill({ clk: 't' }, async () => {
      const [first] = (await attempts(kit, 'http://b/', { 'x-once': '1' }, { after: 'other' })) as [Sent]
      const [second] = (await attempts(kit, 'http://c/')) as [Sent]
      expect([first.call.after, first.call.headers('x-once')]).toEqual(['other', '1'])
      expect([second.call.after, second.call.headers('x-once')]).toEqual([undefined, undefined])
      expect([first, second].map(({ set }) => set[0])).toEqual([
        ['clk', 't'],
        ['clk', 't'],
      ])
    })
  })

  test('routing-37 a call made inside an interceptor leaves the outer one alone', async () => {
    const seen: unknown[] = []
    const token: Interceptor = (next) => async (call) => {
      if (call.service?.name === 'auth') return next(call)
      await runWithWaybill(currentWaybill().with({ clk: undefined }), () =>
        stampOf(authenticated, 'http://auth/'),
      )
      seen.push(currentWaybill().clk)
      return next(call)
    }
    const authenticated = kitOf({ interceptors: [token] })
    const { set } = await withWaybill({ clk: 't', shardKey: '7', hopCount: 1 }, () =>
      stampOf(authenticated, 'http://b/'),
    )
    expect(set).toMatchObject({ clk: 't', 'x-shard-key': '7', 'x-hop-count': '1' })
    expect(seen).toEqual(['t'])
  })

  test('the waybill is captured where the call is entered; an interceptor may replace what is written', async () => {
    const retag: Interceptor = (next) => (call) =>
      next({ ...call, waybill: call.waybill.with({ clk: 'bob' }) })
    const { set } = await withWaybill({ clk: 'alice' }, () =>
      stampOf(kitOf({ interceptors: [retag] }), 'http://b/'),
    )
    expect(set['clk']).toBe('bob')
  })

  test('a key that is bound later is on the next call', async () => {
    await withWaybill({ clk: 'a' }, async () => {
      expect((await stampOf(kit, 'http://b/')).set['x-shard-key']).toBeUndefined()
      bindShardKey('泳道')
      expect((await stampOf(kit, 'http://b/')).set['x-shard-key']).toBe('%E6%B3%B3%E9%81%93')
    })
  })
})

describe('names of ours that the caller put on a call', () => {
  test('context getsentry/sentry-javascript PR#16183 in a request the waybill wins, and each difference is told', async () => {
    const { set, remove } = await withWaybill({ clk: 'alice', shardKey: '7' }, () =>
      stampOf(kit, 'http://b/', {
        clk: 'mallory',
        'x-shard-key': '8',
        'x-hop-count': '1',
        baggage: 'a=1,clk=mallory,shard-key=8,hop-count=2,target-unit=x,waybill-depth=9',
      }),
    )
    expect(set).toEqual({
      clk: 'alice',
      'x-shard-key': '7',
      baggage: 'clk=alice,shard-key=7,waybill-depth=1,a=1',
    })
    expect(remove).toEqual(['x-hop-count'])
    expect(
      events
        .of('conflict')
        .map(({ direction, field }) => `${direction} ${field}`)
        .sort(),
    ).toEqual([
      'out clk',
      'out clk',
      'out hopCount',
      'out shardKey',
      'out targetUnit',
      'out x-hop-count',
      'out x-shard-key',
    ])
  })

  test('what is handed on as it came is no conflict', async () => {
    const { set } = await withWaybill({ clk: 'alice', shardKey: '7', depth: 3 }, () =>
      stampOf(kit, 'http://b/', {
        clk: 'alice',
        'x-shard-key': '7',
        baggage: '%63lk=alice,shard-key=7,waybill-depth=3',
      }),
    )
    expect(set['baggage']).toBe('clk=alice,shard-key=7,waybill-depth=4')
    expect(events.of('conflict')).toEqual([])
  })

  test("outside of any request the caller's count", async () => {
    const { set } = await stampOf(kit, 'http://b/', {
      clk: 'me',
      'x-target-unit': 'SZ',
      baggage: 'a=1,shard-key=7',
    })
    expect(set).toEqual({
      clk: 'me',
      'x-shard-key': '7',
      'x-target-unit': 'sz',
      baggage: 'clk=me,shard-key=7,target-unit=sz,waybill-depth=1,a=1',
    })
  })

  test.each([
    ['context DataDog/dd-sdk-reactnative PR#1016', 'a=1', 'clk=me,waybill-depth=1,a=1'],
    [
      'context open-telemetry/opentelemetry-java PR#8682',
      'k=v;prop=a%20b',
      'clk=me,waybill-depth=1,k=v;prop=a%20b',
    ],
    ['context open-telemetry/opentelemetry-go#5519', 'k=aa%ffcc', 'clk=me,waybill-depth=1,k=aa%ffcc'],
    [
      'context open-telemetry/opentelemetry-java PR#8480',
      'a=1,bad=va%lue,b=2',
      'clk=me,waybill-depth=1,a=1,bad=va%lue,b=2',
    ],
    ['context OBS-9', 'k=a;prop=1', 'clk=me,waybill-depth=1,k=a;prop=1'],
  ])('%s foreign members stay byte for byte', async (_, callers, baggage) => {
    const { set } = await withWaybill({ clk: 'me' }, () => stampOf(kit, 'http://b/', { baggage: callers }))
    expect(set['baggage']).toBe(baggage)
  })

  test('context OBS-7 ours first, then what fits', async () => {
    const big = (name: string): string => `${name}=${'x'.repeat(3998)}`
    const { set } = await withWaybill({ clk: 'me', shardKey: 'k'.repeat(255) }, () =>
      stampOf(kit, 'http://b/', { baggage: `${big('a')},${big('b')},s=1` }),
    )
    expect(set['baggage']).toBe(`clk=me,shard-key=${'k'.repeat(255)},waybill-depth=1,${big('a')},s=1`)
    expect(events.of('dropped').map(({ reason, count }) => [reason, count])).toEqual([['OVER_LIMIT', 1]])
  })

  test('a question of the caller is asked outside of a request; inside it was not the request that asked', async () => {
    const ask = { 'waybill-explain': '1' }
    expect((await stampOf(kit, 'http://b/', ask)).set['waybill-explain']).toBe('1')
    const inside = await withWaybill({}, () => stampOf(kit, 'http://b/', ask))
    expect(inside.set['waybill-explain']).toBeUndefined()
    expect(inside.remove).toEqual(['waybill-explain'])
    const outbound = await stampOf(
      kitOf({ trust: { outbound: ['api.internal'] } }),
      'http://api.internal/',
      ask,
    )
    expect(outbound.remove).toEqual(['waybill-explain'])
  })

  test('a header from which an edge takes the clk does not leave the fleet either', async () => {
    const edge = kitOf({ trust: { inbound: 'edge', edgeFrom: ['header:x-dev', 'cookie:clk'] } })
    const { remove } = await stampOf(edge, 'http://api.example.com/', { 'x-dev': 'alice', 'x-own': '1' })
    expect(remove).toEqual(['x-dev'])
  })

  test('the question of a stranger is not passed on, that of a peer is, under actFor too', async () => {
    const headers = { 'waybill-explain': '1' }
    const arrive = (remoteAddress: string): ReturnType<typeof adopt> =>
      adopt(kit, {
        kind: 'http',
        carrier: new HttpCarrier(headers),
        inbound: 'peer',
        peer: { remoteAddress },
        method: 'GET',
        url: '/',
      })
    const stranger = await arrive('8.8.8.8').run(() => stampOf(kit, 'http://b/', headers))
    expect([stranger.set['waybill-explain'], stranger.remove]).toEqual([undefined, ['waybill-explain']])
    const peer = await arrive('127.0.0.1').run(() =>
      actFor('7', { reason: 'test' }, () => stampOf(kit, 'http://b/')),
    )
    expect(peer.set['waybill-explain']).toBe('1')
  })
})

describe('what leaves the fleet carries nothing', () => {
  const ours = {
    clk: 'alice',
    'x-shard-key': '7',
    'x-hop-count': '1',
    'x-target-unit': 'sz',
    'waybill-explain': '1',
    'x-own': '1',
  }

  test('context open-telemetry/opentelemetry-specification#1633 to another host nothing of ours, by whatever hand', async () => {
    const { set, remove } = await withWaybill({ clk: 'alice' }, () =>
      stampOf(kit, 'http://api.example.com/', { ...ours, baggage: 'a=1, %63lk=alice,waybill-x=1,b=2;p' }),
    )
    expect(set).toEqual({ baggage: 'a=1,b=2;p' })
    expect([...remove].sort()).toEqual([
      'clk',
      'waybill-explain',
      'x-hop-count',
      'x-shard-key',
      'x-target-unit',
    ])
    expect(events.of('dropped')).toEqual([
      { direction: 'out', field: 'headers', reason: 'LEAVES_FLEET', count: 7 },
    ])
    expect(events.of('injected')).toEqual([])
  })

  test('a header of nothing but ours is taken out; one without ours stays as it is', async () => {
    expect((await stampOf(kit, 'http://x.example/', { baggage: 'clk=a' })).remove).toEqual(['baggage'])
    expect(await stampOf(kit, 'http://x.example/', { baggage: ' a=1 ,,b' })).toEqual({ set: {}, remove: [] })
  })

  test('a redirect chain that has left the fleet stays outside, even at the name of a service', async () => {
    const { set } = await withWaybill({ clk: 'alice' }, () =>
      stampOf(kit, 'http://inventory/', {}, { leftFleet: true }),
    )
    expect(set).toEqual({})
  })

  test('with other names the default ones stay ours', async () => {
    const renamed = kitOf({ names: { clk: { header: 'x-lane', baggage: 'lane' } } })
    const out = await stampOf(renamed, 'http://x.example/', {
      clk: 'a',
      'x-lane': 'b',
      baggage: 'clk=a,lane=b',
    })
    expect([...out.remove].sort()).toEqual(['baggage', 'clk', 'x-lane'])
  })

  test('in production a tag is neither written nor passed', async () => {
    const production = kitOf({ environment: 'production', trust: { inbound: 'public' } })
    const { set, remove } = await withWaybill({ clk: 'alice', shardKey: '7' }, () =>
      stampOf(production, 'http://b/', { clk: 'alice' }),
    )
    expect([set['clk'], set['baggage'], remove]).toEqual([undefined, 'shard-key=7,waybill-depth=1', ['clk']])
  })
})

describe('values on the wire', () => {
  test('context OBS-5 a field that has no UTF-8 form is left out and counted, the rest goes', async () => {
    const own = kitOf({ fields: { obs5: { baggage: 'obs5' } } })
    const { set } = await withWaybill({ clk: 'me', fields: { obs5: 'a\uD800' } }, () =>
      stampOf(own, 'http://b/'),
    )
    expect(set['baggage']).toBe('clk=me,waybill-depth=1')
    expect(events.of('dropped').map(({ field, reason }) => [field, reason])).toEqual([['obs5', 'INVALID']])
  })

  test('context spring-attic/spring-cloud-sleuth#1205 a declared field travels, a local one never', async () => {
    const own = kitOf({ fields: { shipper: { baggage: 'shipper' }, shelf: {} } })
    const fields = { shipper: '泳', shelf: 'x' }
    const { set } = await withWaybill({ fields }, () => stampOf(own, 'http://b/'))
    expect(set['baggage']).toBe('waybill-depth=1,shipper=%E6%B3%B3')
    const hop = memoryHop(own, {
      kit: own,
      handler: () => [currentWaybill().field('shipper'), currentWaybill().field('shelf')],
    })
    expect((await withWaybill({ fields }, () => hop({ url: 'http://b/' }))).value).toEqual(['泳', undefined])
  })

  test('fields that do not fit are counted, never cut', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `wide${at}`)
    const own = kitOf({ fields: Object.fromEntries(names.map((name) => [name, { baggage: name }])) })
    const fields = Object.fromEntries(names.map((name) => [name, '汉'.repeat(85)]))
    const { set } = await withWaybill({ clk: 'me', fields }, () =>
      stampOf(own, 'http://b/', { baggage: 'a=1' }),
    )
    expect(set['baggage']!.length).toBeLessThanOrEqual(8192)
    expect(set['baggage']!.split(',').slice(0, 2)).toEqual(['clk=me', 'waybill-depth=1'])
    expect(set['baggage']!.split(',').at(-1)).toBe('a=1')
    expect(events.of('dropped').map(({ reason, count }) => [reason, count])).toEqual([['OVER_LIMIT', 2]])
  })

  test.each([
    ['context open-telemetry/opentelemetry-dotnet#1607', 'a@b,(c)&\\'],
    ['context axios/axios PR#10660', 'a\r\nx-evil: 1'],
    ['context OBS-6', '汉'.repeat(85)],
    ['context OBS-12', '泳道'],
    ['context tulios/kafkajs#1024', '😀%ff a=b'],
  ])('%s a key comes back at the next hop as it was', async (_, shardKey) => {
    const hop = memoryHop(kit, { kit: inventory, handler: (headers) => [currentWaybill().shardKey, headers] })
    const { value } = await withWaybill({ shardKey }, () => hop({ url: 'http://inventory/' }))
    const [key, headers] = value as [string, Record<string, string>]
    expect(key).toBe(shardKey)
    for (const text of Object.values(headers)) expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(Object.keys(headers).sort()).toEqual(['baggage', 'x-shard-key'])
  })

  test('context DataDog/dd-trace-js#5159 what came in foreign is not carried on', async () => {
    const arrived = { baggage: 'r=foo%0A,shard-key=a%0Ab' }
    const { set } = await adopt(kit, {
      kind: 'http',
      carrier: new HttpCarrier(arrived),
      inbound: 'peer',
      peer: { remoteAddress: '::1' },
      method: 'GET',
      url: '/',
    }).run(() => stampOf(kit, 'http://b/'))
    expect(set).toEqual({ 'x-shard-key': 'a%0Ab', baggage: 'shard-key=a%0Ab,waybill-depth=1' })
  })

  test('aliases are written where that was said', async () => {
    const own = kitOf({ aliases: { signadot: 'read-write', dubbo: 'read-write', mse: 'read' } })
    const { set } = await withWaybill({ clk: 'me' }, () => stampOf(own, 'http://b/'))
    expect(set).toEqual({ clk: 'me', 'dubbo.tag': 'me', baggage: 'clk=me,sd-routing-key=me,waybill-depth=1' })
  })
})

describe('circles end', () => {
  test('context getsentry/sentry#68518 ten hops that each hand all headers on: nothing grows but a digit', async () => {
    const lengths: number[] = []
    const relay =
      (left: number) =>
      async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
        lengths.push(headers['baggage']!.length)
        if (left === 0) return headers
        const next = memoryHop(kit, { kit, handler: relay(left - 1) })
        return (await next({ url: 'http://order/', headers })).value
      }
    const first = memoryHop(kit, { kit, handler: relay(9) })
    const { value } = await first({ url: 'http://order/', headers: { clk: 'me', baggage: 'a=1' } })
    expect((value as Record<string, string>)['baggage']).toBe('clk=me,waybill-depth=10,a=1')
    expect(new Set(lengths)).toEqual(new Set([lengths[0]!, lengths[0]! + 1]))
  })

  test.each(['context swisspost/gateleen#136', 'context vercel-labs/portless PR#52', 'D2-18'])(
    '%s a service that calls itself is refused at depth 32',
    async () => {
      let calls = 0
      const again = async (): Promise<unknown> => {
        calls++
        return (await memoryHop(kit, { kit, handler: again })({ url: 'http://order/' })).value
      }
      await expect(withWaybill({}, again)).rejects.toMatchObject({
        code: 'ERR_WAYBILL_LOOP',
        status: 508,
        facts: { service: 'order', depth: 32 },
      })
      expect(calls).toBe(33)
    },
  )

  test('a proxy that shows X-Forwarded-For does not hide the circle', async () => {
    const again = async (): Promise<unknown> =>
      (
        await memoryHop(kit, { kit, handler: again })({
          url: 'http://order/',
          headers: { 'x-forwarded-for': '1.1.1.1' },
        })
      ).value
    await expect(withWaybill({ clk: 'me' }, again)).rejects.toMatchObject({ code: 'ERR_WAYBILL_LOOP' })
  })

  test('a call to a stranger is not refused', async () => {
    await withWaybill({ depth: 40 }, async () => {
      await stampOf(kit, 'http://api.example.com/')
      await expect(stampOf(kit, 'http://b/')).rejects.toMatchObject({ code: 'ERR_WAYBILL_LOOP' })
    })
  })

  test('hop count and depth are two things: a call raises the one alone', async () => {
    const { set } = await withWaybill({ hopCount: 1, depth: 3 }, () => stampOf(kit, 'http://b/'))
    expect(set).toEqual({ 'x-hop-count': '1', baggage: 'hop-count=1,waybill-depth=4' })
  })
})

describe('how a call ends', () => {
  test('settled, with an answer of any status', async () => {
    const own = kitOf()
    await stampOf(own, 'http://b/', {}, { reply: { status: 503 } })
    expect(events.of('settled')).toMatchObject([{ service: 'b', status: 503, error: undefined, sent: 'yes' }])
    expect([own.counters.settled, own.counters.failed, own.counters.injected]).toEqual([1, 0, 1])
  })

  test("settled with the client's own error, untouched", async () => {
    const own = kitOf()
    const error = Object.assign(new Error('no'), { code: 'ECONNREFUSED', syscall: 'connect' })
    const call = performCall(own, TO_B, () => Promise.reject(error))
    await expect(call).rejects.toBe(error)
    expect(events.of('settled')).toMatchObject([{ error, sent: 'no', status: undefined }])
    expect(own.counters.failed).toBe(1)
  })

  test('counted and not told where nobody listened when it began: its duration is not known', async () => {
    const own = kitOf()
    events.stop()
    const call = stampOf(own, 'http://b/')
    events = recordEvents()
    await call
    expect([events.of('settled'), own.counters.settled]).toEqual([[], 1])
  })

  test('what an interceptor throws at once is a rejection like any other', async () => {
    const error = new Error('no')
    const own = kitOf({
      interceptors: [
        () => () => {
          throw error
        },
      ],
    })
    await expect(stampOf(own, 'http://b/')).rejects.toBe(error)
    expect(events.of('settled')).toMatchObject([{ error }])
  })

  test('so is what a client throws at once: whoever watches the attempt hears of its end', async () => {
    onTestFinished(openCallSeam())
    const watched = vi.spyOn(rendezvous().stamped as StampedAttempts, 'keep')
    const error = new TypeError('no such header')
    const call = performCall(kitOf(), TO_B, () => {
      throw error
    })
    await expect(call).rejects.toBe(error)
    await expect(watched.mock.results[0]?.value).rejects.toBe(error)
  })

  test('refused by an interceptor, and nothing is sent', async () => {
    const no: Interceptor = () => () =>
      Promise.reject(new WaybillError('ERR_WAYBILL_NO_PROVIDER', { service: 'b' }))
    const own = kitOf({ interceptors: [no] })
    await expect(stampOf(own, 'http://b/')).rejects.toMatchObject({
      code: 'ERR_WAYBILL_NO_PROVIDER',
      status: 503,
    })
    expect(events.of('refused').map(({ code }) => code)).toEqual(['ERR_WAYBILL_NO_PROVIDER'])
    expect([events.of('settled'), own.counters.injected]).toEqual([[], 0])
  })

  test('interceptors run first-outermost, each attempt is stamped anew and keeps its id', async () => {
    const order: string[] = []
    const log =
      (name: string): Interceptor =>
      (next) =>
      async (call) => {
        order.push(`${name}>`)
        const reply = await next(call)
        order.push(`<${name}`)
        return reply
      }
    const twice: Interceptor = (next) => async (call) => {
      await next(call)
      return next({ ...call, attempt: 2 })
    }
    const sent = await attempts(kitOf({ interceptors: [log('a'), twice, log('b')] }), 'http://b/')
    expect(order).toEqual(['a>', 'b>', '<b', 'b>', '<b', '<a'])
    expect(sent.map(({ call }) => call.attempt)).toEqual([1, 2])
    expect(new Set(sent.map(({ call }) => call.id)).size).toBe(1)
    expect(events.of('injected').map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  test('frozen headers are accepted and the caller never sees a write', async () => {
    const headers = Object.freeze({ clk: 'x', baggage: 'a=1' })
    const { set } = await withWaybill({ clk: 'me' }, () => stampOf(kit, 'http://b/', headers))
    expect(set['clk']).toBe('me')
    expect(headers).toEqual({ clk: 'x', baggage: 'a=1' })
  })
})

describe('who served is told in the reply', () => {
  const note =
    (at?: string): Interceptor =>
    (next) =>
    (call) => {
      call.note({
        service: call.service!.name,
        served: 'alice',
        reason: 'TAG_EXACT',
        notes: ['LOCAL'],
        ...(at === undefined ? {} : { at }),
      })
      return next(call)
    }
  const chain = async (
    headers: Record<string, string>,
    inbound: 'peer' | 'edge' = 'peer',
  ): Promise<string | undefined> => {
    const noting = kitOf({ interceptors: [note('127.0.0.1:4001')] })
    const toInventory = memoryHop(noting, { kit: inventory, handler: () => undefined })
    const toOrder = memoryHop(noting, {
      kit: noting,
      handler: () => toInventory({ url: 'http://inventory/' }),
    })
    const web = memoryHop(noting, { kit: noting, inbound, handler: () => toOrder({ url: 'http://order/' }) })
    return (await web({ url: 'http://web/', headers })).headers['waybill-route']
  }

  test('as a tree, on tagged requests', async () => {
    expect(await chain({ clk: 'alice' }, 'edge')).toBe(
      'order=alice;TAG_EXACT;LOCAL, order/inventory=alice;TAG_EXACT;LOCAL',
    )
  })

  test('with addresses to peers that ask, without them to an edge', async () => {
    expect(await chain({ 'waybill-explain': '1' })).toBe(
      'order=alice;TAG_EXACT;LOCAL;at=127.0.0.1:4001, order/inventory=alice;TAG_EXACT;LOCAL;at=127.0.0.1:4001',
    )
    expect(await chain({ 'waybill-explain': '1' }, 'edge')).not.toContain('at=')
  })

  test('also of calls that are made for another user', async () => {
    const noting = kitOf({ interceptors: [note()] })
    const web = memoryHop(noting, {
      kit: noting,
      handler: () => actFor('7', { reason: 'test' }, () => stampOf(noting, 'http://b/')),
    })
    const reply = await web({ url: 'http://web/', headers: { clk: 'alice' } })
    expect(reply.headers['waybill-route']).toBe('b=alice;TAG_EXACT;LOCAL')
  })

  test('not at all where nobody asked', async () => {
    expect(await chain({})).toBeUndefined()
  })

  test.each([
    'evil\r\nx-injected: 1',
    'a=b;c"><script>',
    'x'.repeat(5000),
    '=;;;,,,',
    'inventory=a;TAG_EXACT;at=10.0.0.1:1;AT=10.0.0.2:1',
  ])('%# what a callee tells cannot break the line', async (told) => {
    const lines: string[] = []
    const adopted = adopt(kit, {
      kind: 'http',
      carrier: new HttpCarrier({ clk: 'me' }),
      inbound: 'edge',
      peer: undefined,
      method: 'GET',
      url: '/',
    })
    adopted.tell({ add: (entries) => lines.push(entries) })
    await adopted.run(() =>
      stampOf(
        kit,
        'http://b/',
        {},
        { reply: { header: (name) => (name === 'waybill-route' ? told : undefined) } },
      ),
    )
    expect(lines.join(',')).toMatch(/^[A-Za-z0-9_.:@*/[\]=;, -]*$/)
    expect(lines.join(',')).not.toMatch(/10\.0\.0\./)
  })
})

describe('a call in no scope', () => {
  test('is sent as the process itself, and told as lost once per place where requests were adopted', async () => {
    const own = kitOf({ clks: 'alice' })
    const call = (): Promise<unknown> => stampOf(own, 'http://b/')
    rendezvous().adopted = false
    expect(await call()).toMatchObject({ set: { clk: 'alice' } })
    expect(events.of('lost')).toEqual([])
    adopt(own, {
      kind: 'http',
      carrier: new HttpCarrier({}),
      inbound: 'public',
      peer: undefined,
      method: 'GET',
      url: '/',
    })
    await call()
    await call()
    await stampOf(own, 'http://b/')
    // All three come from one line of the helper above.
    expect(events.of('lost')).toHaveLength(1)
    expect(events.of('lost')[0]!.place).toContain('perform-call.test')
    expect(own.counters.lost).toBe(3)
    await stampOf(own, 'http://api.example.com/')
    await own.detached(() => stampOf(own, 'http://b/'))()
    expect(own.counters.lost).toBe(3)
  })

  test("routing-35 an inner call's clean-up does not clear the outer scope, and after the request there is none", async () => {
    await withWaybill({ clk: 't' }, async () => {
      await runWithWaybill(currentWaybill().with({ clk: 'inner' }), () =>
        stampOf(kit, 'http://b/').finally(() => {}),
      )
      expect(currentWaybill().clk).toBe('t')
      expect((await stampOf(kit, 'http://d/')).set['clk']).toBe('t')
    })
    expect(tryCurrentWaybill()).toBeUndefined()
  })

  test('routing-41 work that is started and not awaited keeps the tag; detached work has the own one', async () => {
    const own = kitOf({ clks: 'carol' })
    const seen: Record<string, Promise<{ set: Record<string, string> }>> = {}
    withWaybill({ clk: 't' }, () => {
      seen['kept'] = new Promise((resolve) => setTimeout(() => resolve(stampOf(own, 'http://b/')), 5))
      seen['bound'] = new Promise((resolve) =>
        process.once(
          'waybill-test' as never,
          bindWaybill(() => resolve(stampOf(own, 'http://b/'))),
        ),
      )
      seen['detached'] = own.detached(() => stampOf(own, 'http://b/'))()
    })
    process.emit('waybill-test' as never)
    const tags = Object.fromEntries(
      await Promise.all(
        Object.entries(seen).map(async ([name, call]) => [name, (await call).set['clk']] as const),
      ),
    )
    expect(tags).toEqual({ kept: 't', bound: 't', detached: 'carol' })
  })
})

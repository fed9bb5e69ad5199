import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adopt, currentOrigin, isAdopted, readArrival, refusalOf, takesOver, type Adopted } from './adopt.js'
import type { Interceptor } from './call.js'
import { carrierOf, HttpCarrier } from './carrier.js'
import { WaybillError } from './errors.js'
import type { Arrival } from './inbound-rules.js'
import type { KitOptions } from './kit-options.js'
import { createKit, type Kit } from './kit.js'
import { actFor, currentWaybill, runWithWaybill, tryCurrentWaybill } from './index.js'
import { installScopeStore, type ScopeStore } from './scope.js'
import { recordEvents, type EventRecorder } from './testing.js'

const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', ...options })
const kit = kitOf()

const arrival = (headers: unknown, more: Partial<Arrival> = {}): Arrival => ({
  kind: 'http',
  carrier: carrierOf(headers),
  inbound: 'peer',
  peer: { remoteAddress: '127.0.0.1', destroyed: false },
  method: 'GET',
  url: '/',
  ...more,
})

/** What the reply would say of the way. */
function told(adopted: Adopted): string | undefined {
  if (!adopted.told) return undefined
  const lines: string[] = []
  adopted.tell({ add: (entries) => lines.push(entries) })
  return lines.join(', ')
}

let events: EventRecorder
beforeEach(() => {
  events = recordEvents()
})
afterEach(() => {
  events.stop()
})

describe('S2-1 a tag is taken in', () => {
  test('and is there in the handler and after an await, and gone outside', async () => {
    const seen = await adopt(kit, arrival({ clk: 'alice' })).run(async () => {
      await Promise.resolve()
      return currentWaybill().clk
    })
    expect(seen).toBe('alice')
    expect(tryCurrentWaybill()).toBeUndefined()
  })

  test.each([
    ['D2-4 an empty header', ''],
    ['D2-6 no header', undefined],
    ['D2-7 the literal default is a tag, no sentinel', 'default'],
    ['D2-5 spaces', ' alice '],
    ['D2-8 capitals', 'ALICE'],
  ])('%s', (_, clk) => {
    const wanted = clk === '' || clk === undefined ? undefined : clk.trim().toLowerCase()
    expect(adopt(kit, arrival({ clk })).waybill.clk).toBe(wanted)
  })

  test('a tagged request is read at once, so that a reply can be kept from caches; one without is read when looked at', () => {
    events.stop()
    expect(adopt(kit, arrival({ clk: 'alice' })).tagged).toBe(true)
    expect(adopt(kit, arrival({ baggage: 'a=1,CLK=alice' })).tagged).toBe(true)
    expect(adopt(kit, arrival({ baggage: '%63lk=alice' })).tagged).toBe(true)
    expect(adopt(kit, arrival({ baggage: 'a=1' })).tagged).toBe(false)
    const late = adopt(kit, arrival({ 'x-shard-key': '7' }))
    expect(late.waybill.shardKey).toBe('7')
  })
})

describe('what arrives twice', () => {
  test.each([
    ['routing-104', { clk: 'alice, bob' }],
    ['context OBS-15', { clk: ['me', 'evil'] }],
    ['D2-19', { clk: 'me,evil' }],
    ['context OBS-15 in baggage', { baggage: 'clk=me,clk=evil' }],
    ['routing-104 by two keys', { clk: 'alice', Clk: 'bob' }],
  ])('%s: untagged, reported, told in the reply, never refused', (_, headers) => {
    const adopted = adopt(kit, arrival(headers))
    expect(adopted.refusal).toBeUndefined()
    expect(adopted.waybill.clk).toBeUndefined()
    expect(told(adopted)).toBe('-=;INVALID_CLK')
    expect(events.of('dropped')).toEqual([
      { direction: 'in', field: 'clk', reason: 'AMBIGUOUS_CLK', count: 1 },
    ])
  })

  test('an invalid tag is untagged and reported', () => {
    const adopted = adopt(kit, arrival({ clk: 'b_b' }))
    expect(adopted.waybill.clk).toBeUndefined()
    expect(told(adopted)).toBe('-=;INVALID_CLK')
    expect(events.of('dropped').map(({ reason }) => reason)).toEqual(['INVALID_CLK'])
  })
})

describe('baggage as others write it', () => {
  test('routing-44 a value with an equals sign is whole, then refused by the grammar', () => {
    expect(adopt(kit, arrival({ baggage: 'clk=YQ==' })).waybill.clk).toBeUndefined()
    expect(events.of('dropped').map(({ reason }) => reason)).toEqual(['INVALID_CLK'])
  })

  test('routing-46 a property is ignored; one that was encoded into the value is not', () => {
    expect(adopt(kit, arrival({ baggage: 'clk=alice;ttl=5' })).waybill.clk).toBe('alice')
    expect(adopt(kit, arrival({ baggage: 'clk=alice%3Bttl%3D5' })).waybill.clk).toBeUndefined()
    expect(adopt(kit, arrival({ clk: 'alice', baggage: 'clk=alice%3Bttl%3D5' })).waybill.clk).toBe('alice')
  })

  test('routing-48 ten thousand members', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `k${at}=${'v'.repeat(90)}`).join(',')
    const started = performance.now()
    expect(adopt(kit, arrival({ baggage: `clk=alice,${many}` })).waybill.clk).toBe('alice')
    expect(adopt(kit, arrival({ baggage: `${many},clk=alice` })).waybill.clk).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(1000)
    expect(events.of('dropped').map(({ reason }) => reason)).toEqual(['OVER_LIMIT', 'OVER_LIMIT'])
    expect(events.of('dropped')[0]!.count).toBeGreaterThan(9_900)
  })

  test.each([
    ['context open-telemetry/opentelemetry-java PR#8480', 'clk=me,bad=va%lue,shard-key=7', 'me', '7'],
    ['context open-telemetry/opentelemetry-swift#761', 'shard-key=DF%2028', undefined, 'DF 28'],
    ['context open-telemetry/opentelemetry-go#5519', 'clk=me,shard-key=aa%ffcc', 'me', undefined],
    ['context DataDog/dd-trace-js#5159', 'r=foo%0A,shard-key=a%0Ab', undefined, 'a\nb'],
    ['context OBS-9', 'clk=a;prop=1', 'a', undefined],
    ['context OBS-6', `shard-key=${'%E6%B1%89'.repeat(455)}`, undefined, undefined],
    ['context axios/axios PR#10660', 'clk=a%0D%0Ax-evil%3A%201', undefined, undefined],
  ])('%s', (_, baggage, clk, shardKey) => {
    const { waybill } = adopt(kit, arrival({ baggage }))
    expect([waybill.clk, waybill.shardKey]).toEqual([clk, shardKey])
  })

  test('context open-telemetry/opentelemetry-js#3150 names in any case, values as Buffers', () => {
    for (const headers of [{ CLK: 'me' }, { Baggage: Buffer.from('clk=me') }, { BAGGAGE: 'clk=me' }]) {
      expect(adopt(kit, arrival(headers, { kind: 'message', peer: undefined })).waybill.clk).toBe('me')
    }
  })
})

describe('who is believed', () => {
  const all = {
    clk: 'mallory',
    'x-shard-key': '7',
    'x-hop-count': '1',
    'x-target-unit': 'sz',
    baggage: 'waybill-depth=9',
  }
  const factsOf = ({ waybill }: Adopted): unknown[] => [
    waybill.clk,
    waybill.shardKey,
    waybill.hopCount,
    waybill.targetUnit,
    waybill.depth,
  ]

  test.each<[string, Partial<Arrival>, unknown[]]>([
    ['public: nothing', { inbound: 'public' }, [undefined, undefined, 0, undefined, 0]],
    ['D2-17 edge: its clk alone', { inbound: 'edge' }, ['mallory', undefined, 0, undefined, 0]],
    ['a default peer: all but the target unit', {}, ['mallory', '7', 1, undefined, 9]],
    [
      'a peer with a verified certificate: all',
      { peer: { remoteAddress: '10.0.0.1', authorized: true } },
      ['mallory', '7', 1, 'sz', 9],
    ],
    [
      'a stranger: hop and depth alone, so that a loop ends',
      { peer: { remoteAddress: '8.8.8.8' } },
      [undefined, undefined, 1, undefined, 9],
    ],
    ['no connection to ask', { peer: undefined }, [undefined, undefined, 1, undefined, 9]],
    ['a destroyed socket', { peer: { destroyed: true } }, [undefined, undefined, 1, undefined, 9]],
    [
      'an IPv4-mapped peer',
      { peer: { remoteAddress: '::ffff:10.0.0.1' } },
      ['mallory', '7', 1, undefined, 9],
    ],
    [
      'a message: all but the target unit',
      { kind: 'message', peer: undefined },
      ['mallory', '7', 1, undefined, 9],
    ],
    ['a task: all', { kind: 'task', peer: undefined }, ['mallory', '7', 1, 'sz', 9]],
  ])('%s', (_, more, facts) => {
    expect(factsOf(adopt(kit, arrival(all, more)))).toEqual(facts)
  })

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'a default peer that bears %s is public; the first says how to list it, the rest are counted',
    (name) => {
      const own = kitOf()
      const forwarded = arrival({ ...all, [name]: '1.2.3.4' })
      expect(factsOf(adopt(own, forwarded))).toEqual([undefined, undefined, 1, undefined, 9])
      expect(factsOf(adopt(own, forwarded))).toEqual([undefined, undefined, 1, undefined, 9])
      const drops = events.of('dropped').filter(({ reason }) => reason === 'FORWARDED')
      expect(drops).toHaveLength(1)
      expect(drops[0]!.remedy).toContain('trust: { peers:')
      expect(own.counters.dropped.FORWARDED).toBe(2)
    },
  )

  test('a forged list never names the peer: a forwarded header only takes trust away', () => {
    const stranger = arrival(
      { ...all, 'x-forwarded-for': '127.0.0.1' },
      { peer: { remoteAddress: '8.8.8.8' } },
    )
    expect(factsOf(adopt(kit, stranger))[0]).toBeUndefined()
    const listed = kitOf({ trust: { peers: ['10.0.0.0/8'] } })
    const proxied = arrival({ ...all, via: 'x' }, { peer: { remoteAddress: '10.0.0.1' } })
    expect(factsOf(adopt(listed, proxied))).toEqual(['mallory', '7', 1, 'sz', 9])
  })

  test('routing-27 at a public entry nothing counts, by no name', () => {
    const own = kitOf({ aliases: { signadot: 'read', mirrord: 'read-write', dubbo: 'read', mse: 'read' } })
    for (const headers of [
      { clk: 'x' },
      { baggage: '%63lk=x' },
      { baggage: 'CLK=x' },
      { baggage: 'sd-routing-key=x' },
      { baggage: '%6dirrord-session=x' },
      { 'dubbo.tag': 'x' },
      { 'X-MSE-Tag': 'x' },
    ]) {
      const before = own.counters.dropped.UNTRUSTED
      const adopted = adopt(own, arrival(headers, { inbound: 'public' }))
      expect(adopted.waybill.clk).toBeUndefined()
      expect(told(adopted)).toBeUndefined()
      expect(own.counters.dropped.UNTRUSTED).toBe(before + 1)
    }
  })

  test.each([
    [{ clk: 'alice', baggage: 'sd-routing-key=bob' }, 'alice', 1],
    [{ baggage: 'sd-routing-key=bob' }, 'bob', 0],
    [{ 'dubbo.tag': 'bob' }, 'bob', 0],
    [{ 'dubbo.tag': '%62ob' }, undefined, 0],
    [{ baggage: 'clk=alice,sd-routing-key=alice' }, 'alice', 0],
  ])('an alias counts where nothing of ours stands: %j', (headers, clk, conflicts) => {
    const own = kitOf({ aliases: { signadot: 'read', dubbo: 'read' } })
    expect(adopt(own, arrival(headers)).waybill.clk).toBe(clk)
    expect(events.of('conflict')).toHaveLength(conflicts)
  })

  test('D2-17 in production a clk is dead, unless devRouting wakes it', () => {
    const production = {
      environment: 'production',
      trust: { inbound: 'peer', peers: ['10.0.0.0/8'] },
    } as const
    const peer = { remoteAddress: '10.0.0.1' }
    const adopted = adopt(kitOf(production), arrival({ clk: 'alice', 'x-shard-key': '7' }, { peer }))
    expect([adopted.waybill.clk, adopted.waybill.shardKey, adopted.tagged]).toEqual([undefined, '7', false])
    expect(events.of('dropped').map(({ reason }) => reason)).toEqual(['PRODUCTION'])
    expect(
      adopt(kitOf({ ...production, devRouting: true }), arrival({ clk: 'alice' }, { peer })).waybill.clk,
    ).toBe('alice')
  })

  test('D4-2 a hostile hop count is never 0', () => {
    for (const hop of ['0, 9', '-5', '1e9', '+1', '100', '', 'NaN', '0x0', '١', '1 1']) {
      expect(adopt(kit, arrival({ 'x-hop-count': hop })).waybill.hopCount).toBe(1)
    }
  })
})

describe('D2-12 the own clk of a process', () => {
  const laptop = kitOf({ clks: ['alice.*', 'team'] })

  test.each<[string, unknown, Partial<Arrival>, string | undefined]>([
    ['curl from this machine adopts it', {}, {}, 'alice'],
    ['foreign baggage changes nothing', { baggage: 'a=1' }, {}, 'alice'],
    ['an empty header says untagged on purpose', { clk: '' }, {}, undefined],
    ['a call of a kit bears a member of ours', { baggage: 'waybill-depth=1' }, {}, undefined],
    ['also one of a kit to come', { baggage: 'waybill-later=1' }, {}, undefined],
    ['another tag stays', { clk: 'bob' }, {}, 'bob'],
    ['a peer that is not this machine', {}, { peer: { remoteAddress: '10.0.0.1' } }, undefined],
    ['IPv4-mapped loopback is this machine', {}, { peer: { remoteAddress: '::ffff:127.0.0.1' } }, 'alice'],
    ['no connection to ask', {}, { peer: undefined }, undefined],
  ])('%s', (_, headers, more, clk) => {
    expect(adopt(laptop, arrival(headers, more)).waybill.clk).toBe(clk)
  })

  test('adoptOwnClk any and never', () => {
    const peer = { remoteAddress: '10.0.0.1' }
    expect(adopt(kitOf({ clks: 'alice', adoptOwnClk: 'any' }), arrival({}, { peer })).waybill.clk).toBe(
      'alice',
    )
    expect(adopt(kitOf({ clks: 'alice', adoptOwnClk: 'never' }), arrival({})).waybill.clk).toBeUndefined()
    expect(events.of('adopted').map(({ source }) => source)).toEqual(['own', 'none'])
  })

  test.each(['message', 'task'] as const)(
    'a %s without a waybill is nobody’s, also where any is adopted',
    (kind) => {
      const any = kitOf({ clks: 'alice', adoptOwnClk: 'any' })
      const bare = arrival({}, { kind, topic: 'orders', peer: undefined })
      expect(adopt(any, bare).waybill.clk).toBeUndefined()
      expect(readArrival(any, bare).clk).toBeUndefined()
    },
  )
})

describe('waybill-explain', () => {
  const ask = { 'waybill-explain': '1' }
  test.each<[string, unknown, Partial<Arrival>, boolean]>([
    ['a peer is answered', ask, {}, true],
    ['an edge answers outside production', ask, { inbound: 'edge' }, true],
    ['a public listener does not', ask, { inbound: 'public' }, false],
    ['a stranger is not answered', ask, { peer: { remoteAddress: '8.8.8.8' } }, false],
    ['nor one behind a proxy', { ...ask, 'x-forwarded-for': '1.1.1.1' }, {}, false],
    ['any other value is no question', { 'waybill-explain': 'true' }, {}, false],
    ['two lines are none', { 'waybill-explain': ['1', '1'] }, {}, false],
  ])('%s', (_, headers, more, answered) => {
    expect(adopt(kit, arrival(headers, more)).told).toBe(answered)
  })

  test('in production only peers are answered, and no tag is told', () => {
    const trust = { inbound: 'peer', peers: ['127.0.0.0/8'] } as const
    const production = kitOf({ environment: 'production', trust, devRouting: true })
    expect(adopt(production, arrival(ask)).told).toBe(true)
    expect(adopt(production, arrival(ask, { inbound: 'edge' })).told).toBe(false)
    expect(adopt(production, arrival({ clk: 'alice' })).told).toBe(false)
  })
})

describe('interceptors are asked', () => {
  const refusal = new WaybillError('ERR_WAYBILL_MISDIRECTED')
  const doorman: Interceptor = Object.assign(((next) => next) as Interceptor, {
    admit: ({ waybill }: { waybill: { clk: string | undefined } }) =>
      waybill.clk === undefined ? refusal : undefined,
  })
  const guarded = kitOf({ interceptors: [doorman] })

  test('before any handler, with or without adoption', () => {
    expect(adopt(guarded, arrival({})).refusal).toBe(refusal)
    expect(adopt(guarded, arrival({ clk: 'alice' })).refusal).toBeUndefined()
    expect(refusalOf(guarded, arrival({}))).toBe(refusal)
    expect(refusalOf(guarded, arrival({ clk: 'alice' }))).toBeUndefined()
    expect(events.of('refused').map(({ code }) => code)).toEqual([
      'ERR_WAYBILL_MISDIRECTED',
      'ERR_WAYBILL_MISDIRECTED',
    ])
    expect(guarded.counters.adopted).toBe(2)
  })

  test('not where an arrival is only looked at, and nothing is taken in', () => {
    const own = kitOf({ interceptors: [doorman] })
    expect(readArrival(own, arrival({ baggage: 'clk=alice,waybill-depth=3' }))).toMatchObject({
      clk: 'alice',
      depth: 3,
    })
    expect(readArrival(own, arrival({})).clk).toBeUndefined()
    expect(own.counters).toMatchObject({ adopted: 0, refused: 0 })
    expect([events.of('adopted'), events.of('refused')]).toEqual([[], []])
  })
})

test('a request is adopted once: its waybill, and what is made of it, came from its headers', () => {
  const headers = { clk: 'alice' }
  adopt(kit, arrival(headers)).run(() => {
    expect(isAdopted(headers)).toBe(true)
    expect(isAdopted({ ...headers })).toBe(false)
    runWithWaybill(currentWaybill().with({ clk: 'bob' }), () => {
      expect(isAdopted(headers)).toBe(true)
    })
    actFor('7', { reason: 'test' }, () => {
      expect(isAdopted(headers)).toBe(true)
    })
  })
  expect(isAdopted(headers)).toBe(false)
  expect(currentOrigin()).toBeUndefined()
})

test('context nestjs/nest#1530 parallel requests each see their own', async () => {
  const seen = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      adopt(kit, arrival({ clk: `c${at}`, 'x-shard-key': String(at) })).run(async () => {
        await new Promise((resolve) => setTimeout(resolve, (at * 7) % 11))
        return [currentWaybill().clk, currentWaybill().shardKey]
      }),
    ),
  )
  expect(seen).toEqual(seen.map((_, at) => [`c${at}`, String(at)]))
})

test('context getsentry/sentry-javascript#15940 the tag of one request is not on the next', () => {
  const see = (headers: unknown): unknown => adopt(kit, arrival(headers)).run(() => currentWaybill().clk)
  expect([see({ clk: 'alice' }), see({}), see({ clk: 'bob' }), see({})]).toEqual([
    'alice',
    undefined,
    'bob',
    undefined,
  ])
})

test('context vercel-labs/portless PR#52 a list of forwarded addresses is no count of hops', () => {
  const list = Array.from({ length: 12 }, (_, at) => `10.0.0.${at}`).join(', ')
  const { waybill } = adopt(kit, arrival({ 'x-forwarded-for': list, baggage: 'waybill-depth=1' }))
  expect([waybill.hopCount, waybill.depth]).toEqual([0, 1])
})

test('nothing from outside throws, whatever the carrier does', () => {
  const headers = new Proxy(
    {},
    {
      getOwnPropertyDescriptor() {
        throw new Error('x')
      },
      has() {
        throw new Error('x')
      },
      ownKeys() {
        throw new Error('x')
      },
    },
  )
  expect(adopt(kit, arrival(headers)).waybill.clk).toBeUndefined()
  expect(adopt(kit, { ...arrival({}), carrier: new HttpCarrier(headers) }).waybill.clk).toBeUndefined()
  for (const inbound of ['public', 'edge', 'peer'] as const) {
    expect(() =>
      adopt(kit, arrival({ clk: '\u0000'.repeat(9999), baggage: '%'.repeat(9999) }, { inbound })),
    ).not.toThrow()
  }
})

describe('an arrival that a seam takes in', () => {
  const seam = { kit, inbound: 'peer' } as const
  const adopted = (more: Partial<Arrival> = {}): Adopted => adopt(kit, arrival({ clk: 'alice' }, more))

  test('is taken over by a listener of another kit, or that believes others', () => {
    adopted({ seam }).run(() => {
      expect(takesOver(kit, 'peer')).toBe(false)
      expect(takesOver(kit, 'public')).toBe(true)
      expect(takesOver(kitOf(), 'peer')).toBe(true)
      runWithWaybill(currentWaybill().with({ clk: 'bob' }), () => expect(takesOver(kit, 'edge')).toBe(true))
    })
    const { waybill } = adopted({ seam })
    expect(takesOver(kit, 'public', waybill), 'whose scope was lost').toBe(true)
    expect(takesOver(kit, 'public'), 'in no scope').toBe(false)
  })

  test('and by nobody, where a listener has taken it in', () => {
    adopted().run(() => expect(takesOver(kitOf(), 'public')).toBe(false))
  })

  test('is known where a store of contexts begins anew, as an instrumentation between seam and handler does', () => {
    let held: ReturnType<ScopeStore['current']>
    const within = <T>(waybill: typeof held, fn: () => T): T => {
      const before = held
      held = waybill
      try {
        return fn()
      } finally {
        held = before
      }
    }
    const undo = installScopeStore((own) => ({ current: () => held ?? own.current(), run: within }))
    const anew = (one: Adopted): string | undefined =>
      one.run(() => within(undefined, () => tryCurrentWaybill()?.clk))
    try {
      expect(anew(adopted({ seam }))).toBe('alice')
      expect(anew(adopted())).toBeUndefined()
      expect(tryCurrentWaybill()).toBeUndefined()
    } finally {
      undo()
    }
  })
})

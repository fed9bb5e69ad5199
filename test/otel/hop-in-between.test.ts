import { farServer } from '@waybill/conformance/wire'
import { recordEvents } from '@waybill/core/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { adopted, alice, ALICE, ARRIVED, clients, MEMBERS, outsider } from './alice.js'
import { circle } from './circle.js'
import { kitService } from './kit-service.js'
import { startOtelOnly, type OtelOnlyService, type RelayClient } from './otel-only-service.js'

const RELAYS: readonly RelayClient[] = ['axios', 'fetch', 'http', 'undici']

let between: OtelOnlyService
beforeAll(async () => {
  between = await startOtelOnly()
})
afterAll(() => between.stop())

/** `a0=v,a1=v,…` */
const foreign = (count: number, value = 'v'): string =>
  Array.from({ length: count }, (_, at) => `a${String(at)}=${value}`).join(',')

describe('kit, OpenTelemetry only, kit', () => {
  test.each(clients.flatMap((by) => RELAYS.map((relay) => [by, relay] as const)))(
    'by %s and then by %s, clk, key, hop count and depth arrive',
    async (by, relay) => {
      const { origin, kit } = await kitService()
      const { headers, ...facts } = await adopted(alice(between.relay({ to: origin, by: relay }), { by }))
      expect(facts).toEqual(ARRIVED)
      // One header carries all: the dedicated ones end at the hop, which knows none of them.
      expect(headers).toMatchObject({ baggage: MEMBERS, traceparent: expect.any(String) as string })
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^clk$|^x-/)]))
      expect(kit.counters).toMatchObject({ conflicts: 0, dropped: { INVALID: 0, OVER_LIMIT: 0 } })
    },
  )

  test('twice in a row counts as little as once', async () => {
    const { origin } = await kitService()
    const url = between.relay({ to: between.relay({ to: origin, by: 'http' }), by: 'undici' })
    expect(await adopted(alice(url))).toMatchObject(ARRIVED)
  })

  test('in a circle with one service of a kit ends at depth 32', async () => {
    const ended = await circle((origin) => between.relay({ to: origin }))
    expect(ended).toEqual({ status: 508, text: 'ERR_WAYBILL_LOOP', laps: 32 })
  })

  test('a target unit arrives where the service in between is listed', async () => {
    const { origin } = await kitService({ peers: ['127.0.0.1'] })
    const url = between.relay({ to: origin })
    expect(await adopted(alice(url, { targetUnit: 'hz' }))).toMatchObject({ ...ARRIVED, targetUnit: 'hz' })
  })

  test("the caller's own members go with ours, and entries of the service in between come behind", async () => {
    const { origin } = await kitService()
    const url = between.relay({ to: origin, entries: { team: 'red' } })
    const { headers, ...facts } = await adopted(alice(url, { headers: { baggage: 'a=1;p=2' } }))
    expect(facts).toEqual(ARRIVED)
    expect(headers.baggage).toBe(`${MEMBERS},a=1;p=2,team=red`)
  })

  test('a request without baggage, and one with an empty header, are served untagged', async () => {
    const { origin, kit } = await kitService()
    for (const headers of [{}, { baggage: '' }, { clk: 'alice' }]) {
      const { headers: arrived, ...facts } = await adopted(outsider(between.relay({ to: origin }), headers))
      expect(facts).toEqual({ hopCount: 0, depth: 0 })
      expect(arrived.baggage).toBeUndefined()
    }
    expect(Object.values(kit.counters.dropped).every((count) => count === 0)).toBe(true)
  })
})

describe('too much baggage', () => {
  test('ours arrive, whatever else the caller has put on the call', async () => {
    const { origin } = await kitService()
    for (const baggage of [foreign(100), foreign(2, 'v'.repeat(4000)), foreign(60, 'v'.repeat(200))]) {
      const { headers, ...facts } = await adopted(
        alice(between.relay({ to: origin }), { headers: { baggage } }),
      )
      expect(facts).toEqual(ARRIVED)
      expect(headers.baggage?.length).toBeLessThanOrEqual(8192)
      expect(headers.baggage).toMatch(new RegExp(`^${MEMBERS},a0=v`))
    }
  })

  test('ours arrive, whatever the service in between adds: it writes 180 members, of which 64 are read', async () => {
    const { origin, kit } = await kitService()
    const entries = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`b${String(at)}`, 'v']))
    const { headers, ...facts } = await adopted(alice(between.relay({ to: origin, entries })))
    expect(facts).toEqual(ARRIVED)
    expect(headers.baggage?.split(',')).toHaveLength(180)
    expect(kit.counters.dropped.OVER_LIMIT).toBe(180 - 64)
  })

  test('ours arrive behind members whose names are whole numbers, which the service in between writes first', async () => {
    const { origin } = await kitService()
    const headers = { baggage: '7=x,a=1' }
    const found = await adopted(alice(between.relay({ to: origin }), { headers }))
    expect(found).toMatchObject(ARRIVED)
    expect(found.headers.baggage).toBe(`7=x,${MEMBERS},a=1`)
  })

  test('of an outsider it is served, and what stands beyond the limits is not read', async () => {
    const { origin, kit } = await kitService()
    const baggage = `${foreign(70, 'v'.repeat(100))},clk=mallory`
    const { headers, ...facts } = await adopted(outsider(between.relay({ to: origin }), { baggage }))
    expect(facts).toEqual({ hopCount: 0, depth: 0 })
    expect(headers.baggage).toContain(',clk=mallory')
    expect(kit.counters.dropped.OVER_LIMIT).toBe(71 - 64)
  })
})

describe('a clk of its own', () => {
  test('that the service in between writes beside ours is ambiguous: untagged, and reported', async () => {
    const events = recordEvents(['dropped'])
    onTestFinished(() => {
      events.stop()
    })
    const { origin } = await kitService()
    // fetch can only add a header; by node:http OpenTelemetry replaces it.
    const two = await adopted(alice(between.relay({ to: origin, by: 'fetch', header: 'clk=bob' })))
    expect(two).toMatchObject({ shardKey: ALICE.shardKey, hopCount: 1, depth: 3 })
    expect(two.clk).toBeUndefined()
    const inCapitals = await adopted(alice(between.relay({ to: origin, entries: { CLK: 'bob' } })))
    expect(inCapitals.clk).toBeUndefined()
    expect(events.of('dropped')).toMatchObject(Array(2).fill({ field: 'clk', reason: 'AMBIGUOUS_CLK' }))
    const one = await adopted(alice(between.relay({ to: origin, by: 'http', header: 'clk=bob' })))
    expect(one).toMatchObject(ARRIVED)
  })

  test('that the service in between sets in its baggage takes the place of ours', async () => {
    const { origin } = await kitService()
    const found = await adopted(alice(between.relay({ to: origin, entries: { clk: 'bob' } })))
    expect(found).toMatchObject({ ...ARRIVED, clk: 'bob' })
  })
})

describe('what such a hop cannot hold to', () => {
  test('it believes anybody, and the next kit believes it', async () => {
    const { origin } = await kitService()
    const found = await adopted(
      outsider(between.relay({ to: origin }), { baggage: 'clk=mallory,shard-key=1' }),
    )
    expect(found).toMatchObject({ clk: 'mallory', shardKey: '1' })
  })

  test('it tells every host that it calls', async () => {
    const stranger = await farServer()
    onTestFinished(stranger.close)
    await alice(between.relay({ to: stranger.origin }))
    expect(stranger.heard[0]!.lines('baggage')).toEqual([MEMBERS])
  })

  test('an empty clk, which means untagged on purpose, ends there', async () => {
    const { origin } = await kitService()
    const headers = { clk: '', baggage: 'clk=mallory' }
    expect((await adopted(outsider(origin, headers))).clk).toBeUndefined()
    expect((await adopted(outsider(between.relay({ to: origin }), headers))).clk).toBe('mallory')
  })

  test('a value of its own that is no well-formed text costs the call all baggage', async () => {
    const { origin } = await kitService()
    const url = between.relay({ to: origin, entries: { name: 'a\ud800' } })
    expect(await adopted(alice(url))).toMatchObject({ hopCount: 0, depth: 0 })
    expect((await adopted(alice(url))).clk).toBeUndefined()
  })

  test('without the baggage propagator nothing arrives', async () => {
    const mute = await startOtelOnly({ OTEL_PROPAGATORS: 'tracecontext' })
    onTestFinished(() => mute.stop())
    const { origin } = await kitService()
    const { headers, ...facts } = await adopted(alice(mute.relay({ to: origin })))
    expect(facts).toEqual({ hopCount: 0, depth: 0 })
    expect(headers).toMatchObject({ traceparent: expect.any(String) as string })
  })

  test('context open-telemetry/opentelemetry-js#3268 from a path that its instrumentation ignores nothing arrives', async () => {
    const { origin } = await kitService()
    const { headers, ...facts } = await adopted(alice(between.relay({ to: origin, ignored: true })))
    expect(facts).toEqual({ hopCount: 0, depth: 0 })
    expect(headers).not.toHaveProperty('baggage')
  })

  test('its replies say neither who served nor that no cache may keep them', async () => {
    const { origin } = await kitService()
    const behind = await alice(origin)
    expect(behind.headers.get('cache-control')).toBe('private, no-store')
    const through = await alice(between.relay({ to: origin }))
    expect(through.headers.get('cache-control')).toBeNull()
    expect(through.headers.get('waybill-route')).toBeNull()
  })
})

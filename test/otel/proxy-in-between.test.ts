import { startHaproxy } from '@waybill/servers/haproxy'
import { startNginx } from '@waybill/servers/nginx'
import { recordEvents } from '@waybill/core/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { adopted, alice, ALICE, ARRIVED, MEMBERS, outsider } from './alice.js'
import { circle } from './circle.js'
import { kitService } from './kit-service.js'
import { startOtelOnly, type OtelOnlyService } from './otel-only-service.js'
import { proxiesAtHand } from './proxies-at-hand.js'

interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

interface Ways {
  /** As it is without a word about headers. */
  readonly plain: (to: string) => Promise<Proxy>
  /** As proxies are set up: whoever called stands in a header. */
  readonly forwarding: (to: string) => Promise<Proxy>
  /** So that the greatest request that a kit writes passes. */
  readonly roomy: (to: string) => Promise<Proxy>
}

/** What Debian's own proxy_params sets. */
const PROXY_PARAMS = [
  'proxy_set_header Host $http_host;',
  'proxy_set_header X-Real-IP $remote_addr;',
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
  'proxy_set_header X-Forwarded-Proto $scheme;',
]

const PROXIES: Readonly<Record<string, Ways>> = {
  nginx: {
    plain: (to) => startNginx({ to }),
    forwarding: (to) => startNginx({ to, location: PROXY_PARAMS }),
    roomy: (to) => startNginx({ to, server: ['large_client_header_buffers 4 16k;'] }),
  },
  HAProxy: {
    plain: (to) => startHaproxy({ to }),
    forwarding: (to) => startHaproxy({ to, frontend: ['option forwardfor'] }),
    roomy: (to) => startHaproxy({ to }),
  },
}

/** Starts a proxy that ends with the test. */
async function started(proxy: Promise<Proxy>): Promise<string> {
  const { url, stop } = await proxy.then((one) => ({ url: one.url, stop: () => one.stop() }))
  onTestFinished(stop)
  return url
}

proxiesAtHand()

let between: OtelOnlyService
beforeAll(async () => {
  between = await startOtelOnly()
})
afterAll(() => between.stop())

/** Public, as far as a peer's listener goes: a loop has to end all the same. */
const UNBELIEVED = { hopCount: ALICE.hopCount, depth: ARRIVED.depth }

describe.each(Object.entries(PROXIES))('%s in between', (_, proxy) => {
  test('passes on what the kit writes, and is no hop', async () => {
    const { host } = await kitService()
    const { headers, ...facts } = await adopted(alice(await started(proxy.plain(host))))
    expect(facts).toEqual(ARRIVED)
    expect(headers).toMatchObject({ clk: 'alice', 'x-hop-count': '1', baggage: MEMBERS })
  })

  test('that shows that it forwards and is not listed is served, not believed, and one event says what to add', async () => {
    const events = recordEvents(['dropped'])
    onTestFinished(() => {
      events.stop()
    })
    const { host, kit } = await kitService()
    const url = await started(proxy.forwarding(host))
    for (const _ of [1, 2]) {
      const { headers: __, ...facts } = await adopted(alice(url))
      expect(facts).toEqual(UNBELIEVED)
    }
    expect(kit.counters.dropped.FORWARDED).toBe(2)
    expect(events.of('dropped').filter(({ reason }) => reason === 'FORWARDED')).toEqual([
      expect.objectContaining({
        field: 'x-forwarded-for',
        remedy: expect.stringContaining('trust: { peers: [') as string,
      }),
    ])
  })

  test('is no more believed where others are listed', async () => {
    const { host } = await kitService({ peers: ['10.9.8.7'] })
    const { headers: __, ...facts } = await adopted(alice(await started(proxy.plain(host))))
    expect(facts).toEqual(UNBELIEVED)
  })

  test('that is listed is believed, though it forwards', async () => {
    const { host } = await kitService({ peers: ['127.0.0.1'] })
    const { headers, ...facts } = await adopted(
      alice(await started(proxy.forwarding(host)), { targetUnit: 'hz' }),
    )
    expect(facts).toEqual({ ...ARRIVED, targetUnit: 'hz' })
    expect(headers['x-forwarded-for']).toBe('127.0.0.1')
  })

  test('context swisspost/gateleen#136 that is not listed keeps no circle alive: depth is believed', async () => {
    const ended = await circle((origin) => started(proxy.forwarding(new URL(origin).host)))
    expect(ended).toEqual({ status: 508, text: 'ERR_WAYBILL_LOOP', laps: 32 })
  })

  test('and a service with OpenTelemetry alone, before it and behind it', async () => {
    const { host, origin } = await kitService({ peers: ['127.0.0.1'] })
    const before = between.relay({ to: await started(proxy.forwarding(host)) })
    expect(await adopted(alice(before))).toMatchObject(ARRIVED)
    const { pathname, search } = new URL(between.relay({ to: origin }))
    const entry = await started(proxy.forwarding(new URL(between.origin).host))
    expect(await adopted(alice(entry + pathname + search))).toMatchObject(ARRIVED)
  })

  test('an absent baggage and an empty one are no baggage', async () => {
    const { host, kit } = await kitService({ peers: ['127.0.0.1'] })
    const url = await started(proxy.forwarding(host))
    for (const baggage of [{}, { baggage: '' }]) {
      const { headers: __, ...facts } = await adopted(outsider(url, baggage))
      expect(facts).toEqual({ hopCount: 0, depth: 0 })
      // The dedicated header stands alone as well.
      expect((await adopted(outsider(url, { ...baggage, clk: 'alice' }))).clk).toBe('alice')
    }
    expect(Object.values(kit.counters.dropped).every((count) => count === 0)).toBe(true)
  })

  test('the greatest baggage that a kit writes passes, ours first', async () => {
    const { host } = await kitService({ peers: ['127.0.0.1'] })
    const fit = 8192 - `${MEMBERS},a=`.length
    const baggage = `a=${'v'.repeat(fit)},b=left out`
    const { headers, ...facts } = await adopted(
      alice(await started(proxy.roomy(host)), { headers: { baggage } }),
    )
    expect(facts).toEqual(ARRIVED)
    expect(headers.baggage).toHaveLength(8192)
  })

  test('a longer one of an outsider is read as far as 8192 bytes', async () => {
    const { host, kit } = await kitService({ peers: ['127.0.0.1'] })
    const url = await started(proxy.roomy(host))
    const long = `a=${'v'.repeat(9000)}`
    const first = await adopted(outsider(url, { baggage: `clk=alice,${long}` }))
    const last = await adopted(outsider(url, { baggage: `${long},clk=alice` }))
    expect([first.clk, last.clk]).toEqual(['alice', undefined])
    expect(kit.counters.dropped.OVER_LIMIT).toBe(1 + 2)
  })

  test('one that is too long for the proxy never arrives', async () => {
    const { host, kit } = await kitService({ peers: ['127.0.0.1'] })
    const { status } = await outsider(await started(proxy.roomy(host)), {
      baggage: `a=${'v'.repeat(20_000)}`,
    })
    expect(status).toBe(400)
    expect(kit.counters.adopted).toBe(0)
  })
})

describe('nginx', () => {
  test('as it comes refuses a line of 8 kB, which a kit may write', async () => {
    const { host } = await kitService()
    const url = await started(startNginx({ to: host }))
    const withBaggage = (length: number): Promise<number> =>
      alice(url, { headers: { baggage: `a=${'v'.repeat(length)}` } }).then(({ status }) => status)
    expect([await withBaggage(8000), await withBaggage(8192 - `${MEMBERS},a=`.length)]).toEqual([200, 400])
  })

  test('that sets the header anew from what came passes neither an absent nor an empty one', async () => {
    const { host } = await kitService({ peers: ['127.0.0.1'] })
    const url = await started(startNginx({ to: host, location: ['proxy_set_header baggage $http_baggage;'] }))
    expect(await adopted(alice(url))).toMatchObject({ ...ARRIVED, headers: { baggage: MEMBERS } })
    for (const headers of [{}, { baggage: '' }]) {
      expect((await adopted(outsider(url, headers))).headers).not.toHaveProperty('baggage')
    }
  })

  test('that sets clk anew loses an empty one, which means untagged on purpose', async () => {
    const { host } = await kitService({ peers: ['127.0.0.1'] })
    const headers = { clk: '', baggage: 'clk=mallory' }
    const passing = await started(startNginx({ to: host }))
    expect((await adopted(outsider(passing, headers))).clk).toBeUndefined()
    const setting = await started(startNginx({ to: host, location: ['proxy_set_header clk $http_clk;'] }))
    expect((await adopted(outsider(setting, headers))).clk).toBe('mallory')
  })
})

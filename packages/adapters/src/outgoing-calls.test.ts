import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import axios from 'axios'
import { Agent, fetch as undiciFetch, interceptors, request as undiciRequest } from 'undici'
import {
  createKit,
  currentWaybill,
  runWithWaybill,
  tryCurrentWaybill,
  type Kit,
  type KitOptions,
} from '@waybill/core'
import { adopt, carrierOf, isWaybillError, type Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { farServer, namesOfOurs, type Answer, type FarServer, type Heard } from '@waybill/conformance/wire'
import { axiosWaybill } from './axios/index.js'
import { fetchWaybill, undiciWaybill } from './fetch/index.js'
import { httpWaybill, waybillListener } from './node-http/index.js'

/** What every client answers with, whatever its status. */
interface Got {
  readonly status: number
  readonly text: string
}
type Ask = (
  url: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Got>

const clients: Readonly<Record<string, { readonly follows: boolean; readonly of: (kit: Kit) => Ask }>> = {
  'axios, http': { follows: true, of: (kit) => viaAxios(kit, 'http') },
  'axios, fetch': { follows: true, of: (kit) => viaAxios(kit, 'fetch') },
  fetch: { follows: true, of: (kit) => viaFetch(fetchWaybill(kit)) },
  'fetch of undici': {
    follows: true,
    of: (kit) => viaFetch(fetchWaybill(kit, undiciFetch as unknown as typeof fetch)),
  },
  undici: { follows: true, of: viaUndici },
  'node:http': { follows: false, of: viaHttp },
}
const following = Object.entries(clients).filter(([, { follows }]) => follows)

function viaAxios(kit: Kit, adapter: string): Ask {
  const instance = axiosWaybill(kit, axios.create({ adapter, validateStatus: null, responseType: 'text' }))
  return async (url, { method = 'GET', headers = {}, body } = {}) => {
    const { status, data } = await instance.request<string>({ url, method, headers, data: body })
    return { status, text: data }
  }
}

function viaFetch(wrapped: typeof fetch): Ask {
  return async (url, options) => {
    const response = await wrapped(url, options)
    return { status: response.status, text: await response.text() }
  }
}

const undiciAgents: Agent[] = []
function viaUndici(kit: Kit): Ask {
  const agent = new Agent()
  undiciAgents.push(agent)
  const dispatcher = agent.compose(undiciWaybill(kit), interceptors.redirect({ maxRedirections: 5 }))
  return async (url, options) => {
    const { statusCode, body } = await undiciRequest(url, { dispatcher, ...(options as object) })
    return { status: statusCode, text: await body.text() }
  }
}

function viaHttp(kit: Kit): Ask {
  const wrapped = httpWaybill(kit, http)
  return (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const request = wrapped.request(url, { method, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      request.once('error', reject)
      request.end(body)
    })
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  for (const agent of undiciAgents.splice(0)) await agent.destroy()
})

async function far(answer?: Answer): Promise<FarServer> {
  const server = await farServer(answer)
  closing.push(() => server.close())
  return server
}

/** A kit that knows services by name and sends each to the server given for it. */
function kitFor(
  services: Readonly<Record<string, { readonly port: number }>>,
  options: KitOptions = {},
): Kit {
  const route: Interceptor = (next) => (call) => {
    const server = services[call.service?.name ?? '']
    if (server === undefined) return next(call)
    return next({ ...call, target: { host: '127.0.0.1', port: server.port, tls: false, connectMs: 1000 } })
  }
  return createKit({
    service: 'order',
    environment: 'test',
    ...options,
    interceptors: [...(options.interceptors ?? []), route],
  })
}

const loopback = { host: '127.0.0.1', tls: false, connectMs: 1000 }

/** A server with a listener of the kit's. */
async function listen(listener: http.RequestListener): Promise<{ readonly port: number }> {
  const server = http.createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => (server.closeAllConnections(), server.close()))
  await new Promise((resolve) => server.once('listening', resolve))
  return server.address() as AddressInfo
}

const last = (server: FarServer): Heard => server.heard.at(-1) as Heard

describe.each(Object.entries(clients))('%s', (_name, { of }) => {
  test('S2-2 a call to a service carries the tag to the chosen instance; the service stays in Host', async () => {
    const inventory = await far()
    const ask = of(kitFor({ inventory }))
    await withWaybill({ clk: 'alice', shardKey: '泳道 42' }, () => ask('http://inventory/stock/42?full=1'))
    const heard = last(inventory)
    expect(heard.url).toBe('/stock/42?full=1')
    expect(heard.lines('host')).toEqual(['inventory'])
    expect(heard.lines('clk')).toEqual(['alice'])
    expect(heard.lines('x-shard-key')).toEqual(['%E6%B3%B3%E9%81%93%2042'])
    expect(heard.lines('baggage')).toEqual(['clk=alice,shard-key=%E6%B3%B3%E9%81%93%2042,waybill-depth=1'])
  })

  test('S2-2 context OBS-12 a call through an internal gateway carries, too; text that is not Latin is the same on every client', async () => {
    const gateway = await far()
    const kit = kitFor({}, { services: { inventory: { hosts: [`${gateway.origin}/inventory/`] } } })
    await withWaybill({ clk: 'alice', shardKey: '泳道' }, () => of(kit)(`${gateway.origin}/inventory/stock`))
    expect(last(gateway).lines('clk')).toEqual(['alice'])
    expect(last(gateway).lines('x-shard-key')).toEqual(['%E6%B3%B3%E9%81%93'])
  })

  test('S2-10 outside any request the headers of a script count', async () => {
    const inventory = await far()
    await of(kitFor({ inventory }))('http://inventory/', { headers: { CLK: 'Alice' } })
    expect(last(inventory).lines('clk')).toEqual(['alice'])
    expect(last(inventory).lines('baggage')).toEqual(['clk=alice,waybill-depth=1'])
  })

  test('context open-telemetry/opentelemetry-specification#1633, #3799, #3957, #2127; open-telemetry/opentelemetry-dotnet#1866 only the fleet is told', async () => {
    const [inventory, stranger, friend] = [await far(), await far(), await far()]
    const kit = kitFor({ inventory }, { trust: { outbound: [`127.0.0.1:${String(friend.port)}`] } })
    const ask = of(kit)
    await withWaybill({ clk: 'alice' }, async () => {
      await ask('http://inventory/')
      await ask(`${stranger.origin}/`, { headers: { clk: 'alice', Baggage: 'a=1,clk=alice', 'X-Own': '1' } })
      await ask(`${friend.origin}/`)
    })
    expect(last(inventory).lines('clk')).toEqual(['alice'])
    expect(namesOfOurs(last(stranger))).toEqual([])
    expect(last(stranger).lines('baggage')).toEqual(['a=1'])
    expect(last(stranger).lines('x-own')).toEqual(['1'])
    expect(last(friend).lines('clk')).toEqual(['alice'])
    expect(kit.counters.dropped.LEAVES_FLEET).toBe(2)
  })

  test("D2-16 no connection to a developer's machine is kept for later: one may be at a breakpoint meanwhile", async () => {
    const [alice, shared] = [await far(), await far()]
    const ask = of(
      createKit({
        service: 'order',
        environment: 'test',
        interceptors: [
          (next) => (call) => {
            const tagged = call.waybill.clk !== undefined
            const server = tagged ? alice : shared
            const clks = tagged ? ['alice'] : []
            const instance = { id: 'i', service: 'inventory', clks, zone: undefined, cell: undefined }
            return next({
              ...call,
              target: { ...loopback, port: server.port, keepAlive: !tagged, instance },
            })
          },
        ],
      }),
    )
    for (let round = 0; round < 3; round += 1) {
      await withWaybill({ clk: 'alice' }, () => ask('http://inventory/'))
      await ask('http://inventory/')
      // Until the connections are free again.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(new Set(alice.heard.map(({ connection }) => connection)).size).toBe(3)
    expect(new Set(shared.heard.map(({ connection }) => connection)).size).toBe(1)
  })

  test('routing-70 context DataDog/dd-sdk-reactnative PR#1016 context open-telemetry/opentelemetry-ebpf-instrumentation#976 a baggage of the caller is merged, in one header, ours first', async () => {
    const inventory = await far()
    const ask = of(kitFor({ inventory }))
    await withWaybill({ clk: 'alice' }, () =>
      ask('http://inventory/', { headers: { Baggage: 'a=1,clk=other;ttl=5' } }),
    )
    expect(last(inventory).lines('baggage')).toEqual(['clk=alice,waybill-depth=1,a=1'])
  })

  test('context supabase/edge-runtime PR#733; getsentry/sentry-javascript PR#16183 foreign headers byte for byte; a name of ours is replaced, never appended', async () => {
    const inventory = await far()
    const events = recordEvents(['conflict'])
    closing.push(() => events.stop())
    const ask = of(kitFor({ inventory }))
    const headers = { 'sentry-trace': 'abc-def-1', baggage: 'sentry-k=%7Bx;p=1', clk: 'mallory' }
    await withWaybill({ clk: 'alice' }, () => ask('http://inventory/', { headers }))
    expect(last(inventory).lines('sentry-trace')).toEqual(['abc-def-1'])
    expect(last(inventory).lines('baggage')).toEqual(['clk=alice,waybill-depth=1,sentry-k=%7Bx;p=1'])
    expect(last(inventory).lines('clk')).toEqual(['alice'])
    expect(events.of('conflict').map(({ field }) => field)).toContain('clk')
  })

  test.each(['clk', 'CLK', 'Clk', 'cLk'])(
    'context axios/axios#1237, #1599 a name of ours in any case is one header: %s',
    async (name) => {
      const inventory = await far()
      const ask = of(kitFor({ inventory }))
      await ask('http://inventory/', { headers: { [name]: 'me' } })
      await withWaybill({ clk: 'alice' }, () => ask('http://inventory/', { headers: { [name]: 'me' } }))
      await withWaybill({}, () => ask('http://inventory/', { headers: { [name]: 'me' } }))
      expect(inventory.heard.map((heard) => heard.lines('clk'))).toEqual([['me'], ['alice'], []])
    },
  )

  test('routing-68 frozen headers are accepted and stay as they are', async () => {
    const inventory = await far()
    const ask = of(kitFor({ inventory }))
    const headers = Object.freeze({ 'X-Own': '1', baggage: 'a=1' })
    await withWaybill({ clk: 'alice' }, () => ask('http://inventory/', Object.freeze({ headers })))
    expect(last(inventory).lines('clk')).toEqual(['alice'])
    expect(headers).toEqual({ 'X-Own': '1', baggage: 'a=1' })
  })

  test('context DataDog/dd-trace-js#5159 context axios/axios PR#10660 line breaks in a key are encoded, never a second header', async () => {
    const inventory = await far()
    const ask = of(kitFor({ inventory }))
    await withWaybill({ shardKey: 'a\r\nx-evil: 1' }, () => ask('http://inventory/'))
    expect(last(inventory).lines('x-evil')).toEqual([])
    expect(last(inventory).lines('x-shard-key')).toEqual(['a%0D%0Ax-evil%3A%201'])
  })

  test('context axios/axios PR#10750, GHSA-6chq-wfr3-2hj9 / CVE-2026-42035; PR#10779; PR#10550 polluted prototypes add no header and change none', async () => {
    const inventory = await far()
    const ask = of(kitFor({ inventory }))
    const polluted = Object.prototype as unknown as Record<string, unknown>
    const pollutedAsk = async (): Promise<void> => {
      const headers = JSON.parse('{"x-own":"1"}') as Record<string, string>
      polluted['clk'] = 'mallory'
      polluted['baggage'] = 'clk=mallory'
      try {
        await ask('http://inventory/', { headers })
      } finally {
        delete polluted['clk']
        delete polluted['baggage']
      }
    }
    await withWaybill({ clk: 'alice' }, pollutedAsk)
    await withWaybill({}, pollutedAsk)
    expect(inventory.heard.map((heard) => heard.lines('clk'))).toEqual([['alice'], []])
    expect(inventory.heard.map((heard) => heard.lines('baggage'))).toEqual([
      ['clk=alice,waybill-depth=1'],
      ['waybill-depth=1'],
    ])
  })

  test('context getsentry/sentry#68518 ten hops that hand their headers on keep one baggage of constant length', async () => {
    const lengths: number[] = []
    const hop = waybillListener(createKit({ service: 'hop', environment: 'test' }), (req, res) => {
      const lines = req.rawHeaders.filter(
        (_, index) => req.rawHeaders[index - 1]?.toLowerCase() === 'baggage',
      )
      expect(lines).toHaveLength(1)
      lengths.push((lines[0] ?? '').replace(/waybill-depth=\d+/, '').length)
      if (lengths.length === 10) return void res.end()
      const { host: _host, connection: _connection, ...headers } = req.headers
      ask('http://hop/', { headers: headers as Record<string, string> }).then(
        () => res.end(),
        () => res.writeHead(500).end(),
      )
    })
    const ask = of(kitFor({ hop: await listen(hop) }))
    await withWaybill({ clk: 'alice' }, () => ask('http://hop/', { headers: { baggage: 'a=1' } }))
    expect(lengths).toEqual(Array.from({ length: 10 }, () => lengths[0]))
  })

  test('context nodejs/node#34401 over one keep-alive connection each answer is read in its own request', async () => {
    const inventory = await far()
    const ask = of(kitFor({ inventory }))
    for (const clk of ['r1', 'r2']) {
      const seen = await withWaybill({ clk }, async () => {
        await ask('http://inventory/')
        return currentWaybill().clk
      })
      expect(seen).toBe(clk)
      // Until the connection is free again.
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(tryCurrentWaybill()).toBeUndefined()
    expect(inventory.heard.map(({ connection }) => connection)).toEqual([1, 1])
  })

  test('routing-34 routing-36 context apache/dubbo#469, #8121 context moleculerjs/moleculer#247, #581, #902 each call of a handler carries the same tag', async () => {
    const [a, b] = [await far(), await far()]
    const ask = of(kitFor({ a, b }))
    await withWaybill({ clk: 'alice' }, async () => {
      for (const url of ['http://a/', 'http://b/', 'http://a/']) await ask(url)
    })
    expect([...a.heard, ...b.heard].map((heard) => heard.lines('clk'))).toEqual([
      ['alice'],
      ['alice'],
      ['alice'],
    ])
  })

  test('routing-36 what one call is given does not stay for the next', async () => {
    const a = await far()
    const ask = of(kitFor({ a }))
    await withWaybill({ clk: 'alice' }, async () => {
      await ask('http://a/', { headers: { 'x-once': '1', baggage: 'once=1' } })
      await ask('http://a/')
    })
    expect(last(a).lines('x-once')).toEqual([])
    expect(last(a).lines('baggage')).toEqual(['clk=alice,waybill-depth=1'])
  })

  test('routing-35 a nested scope that ends leaves the outer tag', async () => {
    const a = await far()
    const ask = of(kitFor({ a }))
    await withWaybill({ clk: 'outer' }, async () => {
      await runWithWaybill(currentWaybill().with({ clk: 'inner' }), () => ask('http://a/'))
      await ask('http://a/')
    })
    expect(a.heard.map((heard) => heard.lines('clk'))).toEqual([['inner'], ['outer']])
    expect(tryCurrentWaybill()).toBeUndefined()
  })

  test('routing-37 a call made inside an interceptor does not wipe the outer one', async () => {
    const [a, tokens] = [await far(), await far()]
    const fetchToken: Interceptor = (next) => async (call) => {
      if (call.service?.name === 'a') await ask('http://tokens/')
      return next(call)
    }
    const kit = kitFor({ a, tokens }, { interceptors: [fetchToken] })
    const ask = of(kit)
    await withWaybill({ clk: 'alice', shardKey: '7', hopCount: 1 }, () => ask('http://a/'))
    const heard = last(a)
    expect([heard.lines('clk'), heard.lines('x-shard-key'), heard.lines('x-hop-count')]).toEqual([
      ['alice'],
      ['7'],
      ['1'],
    ])
    expect(last(tokens).lines('clk')).toEqual(['alice'])
  })

  test('routing-38 context apache/dubbo#2323 context apache/dubbo#2023 parallel calls keep their tags, also in what comes after', async () => {
    const a = await far(({ url }, response) => setTimeout(() => response.end(url), Math.random() * 4))
    const ask = of(kitFor({ a }))
    const one = (clk: string, round: number): Promise<unknown> =>
      withWaybill({ clk }, async () => {
        const [first, second] = await Promise.all([ask(`http://a/${clk}`), ask(`http://a/${clk}`)])
        expect([first.text, second.text, currentWaybill().clk, round]).toEqual([
          `/${clk}`,
          `/${clk}`,
          clk,
          round,
        ])
      })
    for (let round = 0; round < 20; round++)
      await Promise.all(['a', 'b', 'c', 'd'].map((clk) => one(clk, round)))
    for (const heard of a.heard) expect(heard.lines('clk')).toEqual([heard.url.slice(1)])
    expect(a.heard).toHaveLength(160)
  })

  test('context open-telemetry/opentelemetry-js#3268, #1831 what nobody traces is carried all the same', async () => {
    const b = await far()
    const ask = of(kitFor({ b }))
    const { port } = await listen(
      waybillListener(createKit({ service: 'a', environment: 'test' }), (_req, res) => {
        ask('http://b/').then(
          () => res.end(),
          () => res.writeHead(500).end(),
        )
      }),
    )
    await fetch(`http://127.0.0.1:${String(port)}/health`, { headers: { clk: 'alice' } })
    expect(last(b).lines('clk')).toEqual(['alice'])
  })

  test('context apache/dubbo#7373 the tag reaches the second hop: A to B to C, and there its instance', async () => {
    const [tagged, untagged] = [await far((_heard, response) => response.end('alice')), await far()]
    const route: Interceptor = (next) => (call) => {
      const to = call.waybill.clk === 'alice' ? tagged : untagged
      return next(call.service?.name === 'c' ? { ...call, target: { ...loopback, port: to.port } } : call)
    }
    const ask = of(createKit({ service: 'b', environment: 'test', interceptors: [route] }))
    const b = await listen(
      waybillListener(createKit({ service: 'b', environment: 'test' }), (_req, res) => {
        ask('http://c/').then(
          ({ text }) => res.end(text),
          () => res.writeHead(500).end(),
        )
      }),
    )
    const fromA = of(kitFor({ b }))
    expect((await withWaybill({ clk: 'alice' }, () => fromA('http://b/'))).text).toBe('alice')
    expect((await withWaybill({}, () => fromA('http://b/'))).text).toBe('ok')
  })

  test('routing-51 behind a hop that passes no header on the tag is gone, and the reply shows where it ended', async () => {
    const adopted = recordEvents(['adopted'])
    closing.push(() => adopted.stop())
    const listener = waybillListener(createKit({ service: 'c', environment: 'test' }), (_req, res) =>
      res.end(),
    )
    const c = await listen(listener)
    const b = await far(async (_heard, response) => {
      await fetch(`http://127.0.0.1:${String(c.port)}/`)
      response.end()
    })
    const noted: Interceptor = (next) => (call) => {
      call.note({ service: 'b', served: '@az-ci', reason: 'BASELINE_ZONE', notes: [] })
      return next(call)
    }
    const fromA = of(kitFor({ b }, { interceptors: [noted] }))
    const a = await listen(
      waybillListener(createKit({ service: 'a', environment: 'test' }), (_req, res) => {
        fromA('http://b/').then(
          () => res.end(),
          () => res.writeHead(500).end(),
        )
      }),
    )
    const reply = await fetch(`http://127.0.0.1:${String(a.port)}/`, { headers: { clk: 'alice' } })
    expect(last(b).lines('clk')).toEqual(['alice'])
    expect(reply.headers.get('waybill-route')).toBe('b=@az-ci;BASELINE_ZONE')
    expect(adopted.of('adopted').map(({ clk, depth }) => [clk, depth])).toEqual([
      ['alice', 0],
      [undefined, 0],
    ])
  })

  test.each([false, true])(
    'context swisspost/gateleen#136 a service that calls itself ends at depth 32 (proxy in between: %s)',
    async (proxied) => {
      let asked = 0
      let end: unknown
      const kit = createKit({ service: 'loop', environment: 'test' })
      const loop = await listen(
        waybillListener(kit, (_req, res) => {
          asked++
          ask('http://loop/', proxied ? { headers: { 'x-forwarded-for': '10.0.0.1' } } : {}).then(
            () => res.end(),
            (error: unknown) => {
              end ??= error
              res.writeHead(508).end()
            },
          )
        }),
      )
      const ask = of(kitFor({ loop }))
      await ask('http://loop/')
      expect(asked).toBe(32)
      let at = end
      while (at instanceof Error && !isWaybillError(at)) at = at.cause
      expect(at).toMatchObject({ code: 'ERR_WAYBILL_LOOP', status: 508 })
    },
  )

  test('a connection that is refused goes on to the next instance, with the body', async () => {
    const inventory = await far()
    const again: Interceptor = (next) => async (call) => {
      try {
        return await next({ ...call, target: { host: '127.0.0.1', port: 1, tls: false, connectMs: 1000 } })
      } catch (error) {
        expect(error).toMatchObject({})
        expect(call.body).toBe('replayable')
        return next({ ...call, attempt: 2, target: { host: '127.0.0.1', port: inventory.port, tls: false } })
      }
    }
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [again] })
    const reply = await withWaybill({ clk: 'alice' }, () =>
      of(kit)('http://inventory/', { method: 'POST', body: 'all of it' }),
    )
    expect(reply).toEqual({ status: 200, text: 'ok' })
    expect(last(inventory).body).toBe('all of it')
    expect(last(inventory).lines('clk')).toEqual(['alice'])
  })

  test('an answer that an interceptor turns down is never heard of', async () => {
    const stale = await far((_heard, response) => response.writeHead(421).end('not mine'))
    const inventory = await far()
    const again: Interceptor = (next) => async (call) => {
      const at = (port: number) => ({ host: '127.0.0.1', port, tls: false })
      const reply = await next({ ...call, target: at(stale.port) })
      return reply.status === 421 ? next({ ...call, attempt: 2, target: at(inventory.port) }) : reply
    }
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [again] })
    const reply = await of(kit)('http://inventory/', { method: 'PUT', body: 'all of it' })
    expect(reply).toEqual({ status: 200, text: 'ok' })
    expect(last(inventory).body).toBe('all of it')
  })
})

describe.each(following)('%s', (_name, { of }) => {
  const redirecting =
    (to: () => string, status: number): Answer =>
    ({ url }, response) =>
      url === '/go' ? response.writeHead(status, { location: to() }).end('away') : response.end('here')

  test.each([301, 302, 307, 308])(
    'context axios/axios#10801 / CVE-2026-40895 (follow-redirects), #6313 a redirect out of the fleet carries nothing: %i',
    async (status) => {
      const stranger = await far()
      const inventory = await far(redirecting(() => `${stranger.origin}/`, status))
      await withWaybill({ clk: 'alice', shardKey: '7' }, () =>
        of(kitFor({ inventory }))('http://inventory/go', { headers: { 'x-own': '1', baggage: 'a=1' } }),
      )
      expect(last(inventory).lines('clk')).toEqual(['alice'])
      expect(namesOfOurs(last(stranger))).toEqual([])
      expect([last(stranger).lines('x-own'), last(stranger).lines('baggage')]).toEqual([['1'], ['a=1']])
    },
  )

  test('context axios/axios#10801 / CVE-2026-40895 (follow-redirects), #6313 a redirect to another service is carried and routed anew', async () => {
    const payment = await far()
    const inventory = await far(redirecting(() => 'http://payment/there', 302))
    const reply = await withWaybill({ clk: 'alice' }, () =>
      of(kitFor({ inventory, payment }))('http://inventory/go'),
    )
    expect(reply.text).toBe('ok')
    expect([last(payment).url, last(payment).lines('host')]).toEqual(['/there', ['payment']])
    expect(last(payment).lines('clk')).toEqual(['alice'])
    expect(last(payment).lines('baggage')).toEqual(['clk=alice,waybill-depth=1'])
  })

  test('context axios/axios#10801 / CVE-2026-40895 (follow-redirects), #6313 a chain that has left carries nothing when it comes back, and is not routed', async () => {
    const back = await far()
    const stranger = await far(redirecting(() => `http://127.0.0.1:${String(back.port)}/`, 302))
    const inventory = await far(redirecting(() => `${stranger.origin}/go`, 302))
    const kit = kitFor({ inventory }, { trust: { outbound: [`127.0.0.1:${String(back.port)}`] } })
    await withWaybill({ clk: 'alice' }, () => of(kit)('http://inventory/go'))
    expect(namesOfOurs(last(stranger))).toEqual([])
    expect(namesOfOurs(last(back))).toEqual([])
    await withWaybill({ clk: 'alice' }, () => of(kit)(`http://127.0.0.1:${String(back.port)}/`))
    expect(last(back).lines('clk')).toEqual(['alice'])
  })

  test('a relative location stays with the service', async () => {
    const inventory = await far(redirecting(() => '/there', 302))
    const reply = await withWaybill({ clk: 'alice' }, () => of(kitFor({ inventory }))('http://inventory/go'))
    expect(reply.text).toBe('here')
    expect([last(inventory).url, last(inventory).lines('clk')]).toEqual(['/there', ['alice']])
  })

  test.each([307, 308])('%i keeps method and body', async (status) => {
    const payment = await far()
    const inventory = await far(redirecting(() => 'http://payment/there', status))
    await withWaybill({ clk: 'alice' }, () =>
      of(kitFor({ inventory, payment }))('http://inventory/go', { method: 'POST', body: 'all of it' }),
    )
    expect([last(payment).method, last(payment).body]).toEqual(['POST', 'all of it'])
  })
})

describe.each(Object.entries(clients))('%s: a path is never another host', (_name, { of }) => {
  test('a path that begins with two slashes stays with a stranger: nothing of ours, and not routed', async () => {
    const [inventory, stranger] = [await far(), await far()]
    await withWaybill({ clk: 'alice', shardKey: '7' }, () =>
      of(kitFor({ inventory }))(`${stranger.origin}//inventory/x`, { headers: { clk: 'mallory' } }),
    )
    expect(inventory.heard).toHaveLength(0)
    expect(last(stranger).url).toBe('//inventory/x')
    expect(namesOfOurs(last(stranger))).toEqual([])
  })

  test('a path that begins with two slashes goes to the service, whole', async () => {
    const inventory = await far()
    await withWaybill({ clk: 'alice' }, () => of(kitFor({ inventory }))('http://inventory//evil.example/x'))
    const heard = last(inventory)
    expect([heard.url, heard.lines('host'), heard.lines('clk')]).toEqual([
      '//evil.example/x',
      ['inventory'],
      ['alice'],
    ])
  })

  test("behind a gateway's prefix such a path stays whole, too", async () => {
    const inventory = await far()
    const prefix: Interceptor = (next) => (call) =>
      next({
        ...call,
        target: {
          ...loopback,
          port: inventory.port,
          path: call.url?.pathname.slice(call.prefix.length) ?? '',
        },
      })
    const services = { inventory: { hosts: ['gw.internal/inventory/'] } }
    const kit = createKit({ service: 'order', environment: 'test', services, interceptors: [prefix] })
    await withWaybill({ clk: 'alice' }, () => of(kit)('http://gw.internal/inventory//evil.example/x'))
    expect([last(inventory).url, last(inventory).lines('clk')]).toEqual(['//evil.example/x', ['alice']])
  })
})

test.each(following)(
  '%s: a redirect to a path that begins with two slashes tells a stranger nothing',
  async (_name, { of }) => {
    const stranger = await far()
    const inventory = await far((_heard, response) =>
      response.writeHead(302, { location: `${stranger.origin}//zzz/` }).end(),
    )
    await withWaybill({ clk: 'alice', shardKey: '7' }, () => of(kitFor({ inventory }))('http://inventory/go'))
    expect(last(stranger).url).toBe('//zzz/')
    expect(namesOfOurs(last(stranger))).toEqual([])
  },
)

test('undici: a path that is a URL, the form for proxies, is no path of the service', async () => {
  const path = 'http://inventory/x'
  const inventory = await far()
  const agent = new Agent()
  undiciAgents.push(agent)
  const dispatcher = agent.compose(undiciWaybill(kitFor({ inventory })))
  const stranger = await far()
  await withWaybill({ clk: 'alice' }, () =>
    dispatcher.request({ origin: stranger.origin, path, method: 'GET', headers: { clk: 'mallory' } }),
  )
  expect(inventory.heard).toHaveLength(0)
  expect(namesOfOurs(last(stranger))).toEqual([])
})

describe('a call in no scope', () => {
  test.each(Object.entries(clients))(
    'of %s is reported with its place in the application',
    async (_name, { of }) => {
      const inventory = await far()
      const kit = kitFor({ inventory })
      adopt(kit, { ...ARRIVAL, carrier: carrierOf({}) })
      const events = recordEvents(['lost'])
      await of(kit)('http://inventory/x')
      events.stop()
      expect(events.of('lost')).toMatchObject([
        { kind: 'http', place: expect.stringContaining('outgoing-calls.test.ts:') },
      ])
    },
  )
})

const ARRIVAL = { kind: 'http', inbound: 'peer', peer: undefined, method: 'GET', url: '/' } as const

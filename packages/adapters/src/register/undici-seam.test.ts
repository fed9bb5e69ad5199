import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { EventEmitter } from 'node:events'
import { createServer } from 'node:https'
import { setTimeout as after } from 'node:timers/promises'
import { context, propagation } from '@opentelemetry/api'
import axios from 'axios'
import {
  Agent,
  fetch as undiciFetch,
  interceptors,
  MockAgent,
  request,
  RetryAgent,
  type Dispatcher,
} from 'undici'
import { createKit, tryCurrentWaybill, type Kit } from '@waybill/core'
import { adopt, carrierOf, type Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { closedPort, farServer, namesOfOurs } from '@waybill/conformance/wire'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { certificateFor } from '../../test/certificate.js'
import { listen } from '../../test/loopback.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { ALICES, asAlice, seamStage } from '../../test/seam-stage.js'
import { axiosWaybill } from '../axios/index.js'
import { fetchWaybill, undiciWaybill } from '../fetch/index.js'
import { globalDispatcher } from '../node-http/dispatcher.js'
import { otelWaybill } from '../otel/index.js'
import { bindFetch } from './bound-fetch.js'
import { connectOutside } from './connect-outside.js'
import { carryUndici } from './undici-seam.js'

const stage = seamStage((kitOf) => [bindFetch(kitOf), carryUndici(kitOf), connectOutside()])
const { undos, open, last } = stage
const events = recordEvents(['injected', 'settled', 'refused', 'lost'])
afterEach(() => events.clear())

/** A dispatcher that is closed behind the test. */
function closing<Closed extends { destroy(): Promise<unknown> }>(dispatcher: Closed): Closed {
  undos.push(() => dispatcher.destroy())
  return dispatcher
}

type Ask = (url: string, options?: object) => Promise<string>

const byFetch: Ask = async (url, options) => (await fetch(url, options)).text()
const byUndiciFetch: Ask = async (url, options) => (await undiciFetch(url, options)).text()
const byRequest: Ask = async (url, options) => (await request(url, options)).body.text()
const clients = { fetch: byFetch, 'undici.fetch': byUndiciFetch, 'undici.request': byRequest }

describe.each(Object.entries(clients))('%s', (_name, ask) => {
  test('a call bears the waybill, merged into the caller’s own baggage', async () => {
    const kit = open()
    const headers = { baggage: 'team=red,clk=mallory', clk: 'mallory', 'x-mine': '1' }
    expect(await asAlice(() => ask(stage.far.origin, { headers }))).toBe('ok')
    expect(last().lines('clk')).toEqual(['alice'])
    expect(last().lines('baggage')).toEqual([`${ALICES},team=red`])
    expect(last().lines('x-mine')).toEqual(['1'])
    expect(headers.baggage).toBe('team=red,clk=mallory')
    expect(events.of('settled')).toMatchObject([{ service: 'far', status: 200 }])
    expect(kit.counters).toMatchObject({ injected: 1, settled: 1, failed: 0 })
  })

  test('a stranger gets nothing of ours', async () => {
    open({ services: {} })
    await asAlice(() => ask(stage.far.origin, { headers: { Clk: 'alice', baggage: 'team=red,%63lk=alice' } }))
    expect(namesOfOurs(last())).toEqual([])
    expect(last().lines('baggage')).toEqual(['team=red'])
  })

  test('a refused connection is settled once', async () => {
    const dead = `127.0.0.1:${String(await closedPort())}`
    const kit = open({ services: { dead: { hosts: [dead] } } })
    await expect(asAlice(() => ask(`http://${dead}`))).rejects.toThrow()
    expect(events.of('settled')).toMatchObject([{ service: 'dead', sent: 'no' }])
    expect(kit.counters).toMatchObject({ injected: 1, settled: 1, failed: 1 })
  })

  test('a chain that is too deep is the caller’s error, and no byte leaves', async () => {
    const kit = open()
    const error = await withWaybill({ depth: 32 }, () => ask(stage.far.origin)).catch(
      (caught: unknown) => caught,
    )
    expect(error instanceof TypeError ? error.cause : error).toMatchObject({ code: 'ERR_WAYBILL_LOOP' })
    await ask(stage.far.origin)
    expect(stage.far.heard).toHaveLength(1)
    expect(kit.counters.refused).toBe(1)
  })
})

test('context open-telemetry/opentelemetry-js#2466 headers as pairs', async () => {
  open()
  const headers: [string, string][] = [
    ['custom', '1'],
    ['baggage', 'team=red'],
  ]
  for (const ask of [byFetch, byUndiciFetch]) {
    await asAlice(() => ask(stage.far.origin, { headers }))
    expect(last().lines('custom')).toEqual(['1'])
    expect(last().lines('baggage')).toEqual([`${ALICES},team=red`])
  }
})

test('a Request, with or without an init, and a body', async () => {
  open()
  await asAlice(() => fetch(new Request(stage.far.origin, { headers: { 'x-mine': '1' } })))
  expect([last().lines('x-mine'), last().lines('clk')]).toEqual([['1'], ['alice']])
  await asAlice(() => fetch(new Request(stage.far.origin), { method: 'POST', body: 'a body' }))
  expect([last().method, last().body, last().lines('clk')]).toEqual(['POST', 'a body', ['alice']])
})

test('a Request that names a dispatcher is sent by it, but for undici 7, which shows it to nobody', async () => {
  open()
  const isHidden = Number(process.versions['undici']?.split('.')[0]) >= 7
  const origin = `http://127.0.0.1:${String(await closedPort())}`
  const dispatcher = new MockAgent()
  closing({ destroy: () => dispatcher.close() })
  dispatcher.disableNetConnect()
  dispatcher.get(origin).intercept({ path: '/' }).reply(200, 'by its own').times(2)
  for (const send of [fetch, fetchWaybill(createKit({ service: 'order', environment: 'test' }))]) {
    const answered = send(new Request(origin, { dispatcher } as object)).then(
      (response) => response.text(),
      (error: unknown) => (error as { readonly cause?: { readonly code?: unknown } }).cause?.code,
    )
    expect(await answered).toBe(isHidden ? 'ECONNREFUSED' : 'by its own')
  }
})

describe('whose call it is', () => {
  const CALLERS = Array.from({ length: 10 }, (_, index) => `tag-${String(index)}`)

  const twoConnections = (): Agent => closing(new Agent({ connections: 2 }))
  /** Longer than what a body holds, and shorter than that and a socket: who reads on reads it to its end. */
  const LONG = 'x'.repeat(100_000)

  /** Answers some time later, so that calls wait for a connection. */
  function answerLater(text: string): void {
    stage.answer = async (_heard, response) => {
      await after(2)
      response.end(text)
    }
  }

  /** Many callers share two connections, each in its own scope. Says which tags arrived. */
  async function crowded(
    ask: Ask,
    dispatcher: Dispatcher = twoConnections(),
    text = 'ok',
  ): Promise<string[]> {
    answerLater(text)
    await Promise.all(
      CALLERS.map((clk, index) =>
        withWaybill({ clk }, async () => {
          for (let turn = 0; turn < 4; turn++) {
            await after((index * 7 + turn * 3) % 5)
            await ask(`${stage.far.origin}/${clk}`, { dispatcher })
          }
        }),
      ),
    )
    return stage.far.heard.map(({ url, lines }) => {
      const [clk = 'none'] = lines('clk')
      return clk === url.slice(1) ? 'own' : clk
    })
  }

  test.each(['fetch', 'undici.request'] as const)(
    '%s: its own, though its request is made when somebody else frees a connection',
    async (name) => {
      open()
      expect(new Set(await crowded(clients[name]))).toEqual(new Set(['own']))
    },
  )

  test('undici.fetch: its own or nobody’s, which is told, and never that of another', async () => {
    const kit = open()
    const peer = { remoteAddress: '127.0.0.1' }
    adopt(kit, { kind: 'http', carrier: carrierOf({}), inbound: 'peer', peer, method: 'GET', url: '/' })
    const seen = new Set(await crowded(byUndiciFetch))
    expect(seen.has('none')).toBe(true)
    expect([...seen].filter((clk) => clk !== 'none' && clk !== 'own')).toEqual([])
    expect(events.of('lost')[0]?.remedy).toContain('docs/losing-context.md#a-request-that-undici-makes-later')
  })

  test.each([
    ['undici.fetch', undiciFetch, twoConnections],
    ['fetch by a composed dispatcher', fetch, () => twoConnections().compose((dispatch) => dispatch)],
  ])(
    '%s: never that of whoever reads a long answer to its end, and so frees the connection',
    async (_name, send, dispatcherOf) => {
      open()
      const ask: Ask = async (url, options) => {
        const response = await send(url, options)
        await after(10)
        return response.text()
      }
      const seen = await crowded(ask, dispatcherOf(), LONG)
      expect(seen.filter((clk) => clk !== 'none' && clk !== 'own')).toEqual([])
    },
  )

  test('nor that of whoever has opened a connection that fails, in undici 6 as Node 20 and 22 have it', async () => {
    const dead = `127.0.0.1:${String(await closedPort())}`
    open({ services: { dead: { hosts: [dead] } } })
    const BuiltIn = globalDispatcher().constructor as typeof Agent
    // What stands between hides whose call it is.
    const get = (handler: object, name: string): unknown => {
      const member: unknown = Reflect.get(handler, name)
      return typeof member === 'function' ? (member.bind(handler) as unknown) : member
    }
    const hiding: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
      dispatch(options, new Proxy(handler, { get }))
    const dispatcher = closing(new BuiltIn({ connections: 2 })).compose(hiding)
    await Promise.allSettled(
      CALLERS.map((clk) => withWaybill({ clk }, () => byFetch(`http://${dead}`, { dispatcher }))),
    )
    const clks = events.of('injected').flatMap(({ clk }) => clk ?? [])
    expect(events.of('injected')).toHaveLength(CALLERS.length)
    expect(clks).toEqual([...new Set(clks)])
  })

  test.each(['fetch', 'undici.request'] as const)(
    '%s in no scope: its own headers count, though its request is made later',
    async (name) => {
      const kit = open()
      const peer = { remoteAddress: '127.0.0.1' }
      adopt(kit, { kind: 'http', carrier: carrierOf({}), inbound: 'peer', peer, method: 'GET', url: '/' })
      answerLater('ok')
      const dispatcher = twoConnections()
      await Promise.all(
        CALLERS.map((clk) => clients[name](`${stage.far.origin}/${clk}`, { dispatcher, headers: { clk } })),
      )
      expect(stage.far.heard.map(({ lines }) => lines('clk')[0]).sort()).toEqual(CALLERS)
      const remedies = events.of('lost').map(({ remedy }) => remedy)
      expect(remedies.join()).not.toContain('a-request-that-undici-makes-later')
    },
  )

  test.each(Object.entries(clients))(
    '%s: what a tracer keeps goes along with its own',
    async (_name, ask) => {
      const otel = otelWaybill()
      const sdk = registerSdk(otel.propagator)
      onTestFinished(() => {
        otel.undo()
        sdk.end()
      })
      open()
      answerLater(LONG)
      const dispatcher = twoConnections()
      await Promise.all(
        CALLERS.map((clk) =>
          withWaybill({ clk }, () => {
            const baggage = propagation.createBaggage({ team: { value: clk } })
            return context.with(propagation.setBaggage(context.active(), baggage), () =>
              ask(`${stage.far.origin}/${clk}`, { dispatcher }),
            )
          }),
        ),
      )
      for (const { url, lines } of stage.far.heard) {
        const clk = url.slice(1)
        const nobodys = ask === byUndiciFetch ? ['waybill-depth=1'] : []
        expect([`clk=${clk},waybill-depth=1,team=${clk}`, ...nobodys]).toContain(lines('baggage').join('; '))
      }
    },
  )

  test.each([
    ['is redirected', () => closing(new Agent()).compose(interceptors.redirect({ maxRedirections: 3 }))],
    ['is sent again', () => closing(new RetryAgent(new Agent(), { minTimeout: 1, maxRetries: 1 }))],
  ])(
    'what undici’s own interceptors send again bears no other’s tag: a call that %s',
    async (_, dispatcherOf) => {
      open()
      const agent = dispatcherOf()
      const answered = new Set<string>()
      stage.answer = ({ url }, response) => {
        const [path = ''] = url.split('?')
        if (answered.has(url) || path === '/open') response.end('ok')
        else if (path === '/again') {
          answered.add(url)
          response.writeHead(503).end()
        } else response.writeHead(307, { location: url.replace('/to', '/open') }).end()
      }
      await withWaybill({ clk: 'opener' }, () => byRequest(`${stage.far.origin}/open`, { dispatcher: agent }))
      for (const path of ['/to?1', '/again?1']) {
        await asAlice(() => byRequest(`${stage.far.origin}${path}`, { dispatcher: agent }))
      }
      const [, ...later] = stage.far.heard
      expect(later.map(({ lines }) => lines('clk')[0] ?? 'none')).not.toContain('opener')
    },
  )
})

test('a redirect of a stranger’s does not make a copy of an outsider’s headers believed', async () => {
  const stranger = await farServer((_heard, response) =>
    response.writeHead(307, { location: `${stage.far.origin}/back` }).end(),
  )
  onTestFinished(() => stranger.close())
  open()
  const dispatcher = closing(new Agent()).compose(interceptors.redirect({ maxRedirections: 1 }))
  const headers = { clk: 'mallory', 'x-shard-key': '7', baggage: 'clk=mallory,team=red' }
  await withWaybill({}, () => byRequest(stranger.origin, { dispatcher, headers }))
  expect(last().lines('baggage')).toEqual(['waybill-depth=1,team=red'])
  expect(namesOfOurs(last())).toEqual(['waybill-depth'])
})

test('over TLS too a connection belongs to nobody, and a call to whoever has made it', async () => {
  const certificate = certificateFor('IP:127.0.0.1')
  const seen: (string | undefined)[] = []
  const server = createServer(certificate, (req, res) => {
    seen.push(req.headers['clk'] as string | undefined)
    res.end()
  })
  const host = `127.0.0.1:${String(await listen(server))}`
  open({ services: { far: { hosts: [host] } } })
  const opened: (string | undefined)[] = []
  const lookAt = ({ socket }: { readonly socket: EventEmitter }): unknown =>
    socket.prependListener('data', () => opened.push(tryCurrentWaybill()?.clk))
  const connected = (message: unknown): void => void lookAt(message as never)
  subscribe('undici:client:connected', connected)
  onTestFinished(() => void unsubscribe('undici:client:connected', connected))
  const dispatcher = closing(new Agent({ connect: { ca: certificate.cert } }))
  await asAlice(() => byFetch(`https://${host}`, { dispatcher }))
  await withWaybill({ clk: 'bob' }, () => byRequest(`https://${host}`, { dispatcher }))
  expect(seen).toEqual(['alice', 'bob'])
  expect(new Set(opened)).toEqual(new Set([undefined]))
})

test('the later hops of a chain of redirects that has left the fleet carry nothing', async () => {
  const stranger = await farServer((_heard, response) =>
    response.writeHead(307, { location: `${stage.far.origin}/back` }).end(),
  )
  onTestFinished(() => stranger.close())
  open()
  stage.answer = ({ url }, response) => {
    const to = url === '/in' ? '/there' : url === '/out' ? `${stranger.origin}/` : undefined
    if (to === undefined) response.end('ok')
    else response.writeHead(307, { location: to }).end()
  }
  await asAlice(() => byFetch(`${stage.far.origin}/in`))
  await asAlice(() => byFetch(`${stage.far.origin}/out`))
  expect(stage.far.heard.map(({ url, lines }) => [url, lines('clk')[0]])).toEqual([
    ['/in', 'alice'],
    ['/there', 'alice'],
    ['/out', 'alice'],
    ['/back', undefined],
  ])
  expect(stranger.heard.flatMap(namesOfOurs)).toEqual([])
})

describe('beside adapters', () => {
  const there: Interceptor = (next) => (call) =>
    next({ ...call, target: { host: '127.0.0.1', port: stage.far.port, tls: false } })

  const wrappers: Readonly<Record<string, (kit: Kit) => Ask>> = {
    fetch: (kit) => {
      const wrapped = fetchWaybill(kit)
      return async (url, options) => (await wrapped(url, options)).text()
    },
    'undici.fetch': (kit) => {
      const wrapped = fetchWaybill(kit, undiciFetch)
      return async (url, options) => (await wrapped(url, options)).text()
    },
    undici: (kit) => {
      const dispatcher = closing(new Agent({ connections: 1 })).compose(undiciWaybill(kit))
      return (url) => byRequest(url, { dispatcher })
    },
    'axios, by fetch': (kit) => {
      const wrapped = axiosWaybill(kit, axios.create({ adapter: 'fetch' }))
      return async (url) => (await wrapped.get<string>(url)).data
    },
  }

  describe.each(Object.entries(wrappers))('%s', (_name, wrap) => {
    test.each(['before', 'behind'])(
      'wrapped %s the seams: what it has stamped is left alone',
      async (order) => {
        const kit = createKit({ service: 'order', environment: 'test', interceptors: [there] })
        const wrapped = wrap(kit)
        const seamed = open()
        const ask = order === 'before' ? wrapped : wrap(kit)
        await Promise.all(
          Array.from({ length: 5 }, (_, index) =>
            withWaybill({ clk: `tag-${String(index)}` }, () => ask(`http://inventory/tag-${String(index)}`)),
          ),
        )
        for (const { url, lines } of stage.far.heard) {
          expect(lines('baggage')).toEqual([`clk=${url.slice(1)},waybill-depth=1`])
        }
        await ask('http://inventory/')
        expect(last().lines('baggage')).toEqual(['waybill-depth=1'])
        expect(kit.counters).toMatchObject({ injected: 6, settled: 6, conflicts: 0 })
        expect(seamed.counters).toMatchObject({ injected: 0, settled: 0 })
      },
    )
  })

  test.each([
    ['a service', {}],
    ['a stranger', { services: {} }],
  ])(
    'an attempt that waits for a connection is left alone, though its target is %s for the seam',
    async (_what, options) => {
      const kit = createKit({ service: 'order', environment: 'test', interceptors: [there] })
      const seamed = open(options)
      stage.answer = async (_heard, response) => {
        await after(2)
        response.end('ok')
      }
      const dispatcher = closing(new Agent({ connections: 2 })).compose(undiciWaybill(kit))
      const clks = Array.from({ length: 10 }, (_, index) => `tag-${String(index)}`)
      await Promise.all(
        clks.map((clk) => withWaybill({ clk }, () => byRequest(`http://inventory/${clk}`, { dispatcher }))),
      )
      expect(stage.far.heard.map(({ lines }) => lines('clk')[0]).sort()).toEqual(clks)
      for (const { url, lines } of stage.far.heard) {
        expect(lines('baggage')).toEqual([`clk=${url.slice(1)},waybill-depth=1`])
      }
      expect(seamed.counters).toMatchObject({ injected: 0, settled: 0, dropped: { LEAVES_FLEET: 0 } })
    },
  )
})

test('a tracer that hears of a request later adds to the one baggage, and to no stranger ours', async () => {
  const later = (message: unknown): void => {
    const { request } = message as { request: { addHeader(name: string, value: string): unknown } }
    request.addHeader('traceparent', '00-1-1-01')
    request.addHeader('baggage', 'team=red,clk=mallory')
  }
  open()
  subscribe('undici:request:create', later)
  onTestFinished(() => void unsubscribe('undici:request:create', later))
  const stranger = await farServer()
  onTestFinished(() => stranger.close())
  for (const ask of Object.values(clients)) {
    await asAlice(() => ask(stage.far.origin))
    await asAlice(() => ask(stranger.origin))
  }
  for (const { lines } of stage.far.heard) {
    expect(lines('baggage')).toEqual([`${ALICES},team=red`])
    expect(lines('traceparent')).toEqual(['00-1-1-01'])
  }
  for (const { lines } of stranger.heard) expect(lines('baggage')).toEqual(['team=red'])
})

test('a mocked call is never made', async () => {
  open()
  const mocked = new MockAgent()
  mocked.get(stage.far.origin).intercept({ path: '/' }).reply(200, 'mocked')
  expect(await asAlice(() => byFetch(stage.far.origin, { dispatcher: mocked }))).toBe('mocked')
  expect(stage.far.heard).toEqual([])
})

test('undo restores the very same fetch and listens to nothing; a disabled kit leaves all to undici', async () => {
  const before = globalThis.fetch
  const kit = open()
  expect(globalThis.fetch).not.toBe(before)
  kit.disable()
  for (const ask of Object.values(clients)) {
    await asAlice(() => ask(stage.far.origin, { headers: { clk: 'mine' } }))
    expect([last().lines('clk'), last().lines('baggage')]).toEqual([['mine'], []])
  }
  for (const undo of undos.splice(1).reverse()) await undo()
  expect(globalThis.fetch).toBe(before)
  await asAlice(() => byRequest(stage.far.origin))
  expect(namesOfOurs(last())).toEqual([])
})

test('a stream of the answer is read in the scope of who made the call', async () => {
  open()
  const seen = new Set<string | undefined>()
  await withWaybill({ clk: 'opener' }, () => byRequest(stage.far.origin))
  await asAlice(async () => {
    const { body } = await request(stage.far.origin)
    for await (const piece of body) if (piece !== undefined) seen.add(tryCurrentWaybill()?.clk)
  })
  expect(seen).toEqual(new Set(['alice']))
})

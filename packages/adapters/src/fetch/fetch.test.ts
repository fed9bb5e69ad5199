import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  Agent,
  fetch as undiciFetch,
  interceptors,
  MockAgent,
  Request as UndiciRequest,
  request,
  type Dispatcher,
} from 'undici'
import { createKit, type Kit } from '@waybill/core'
import {
  adopt,
  carrierOf,
  isWaybillError,
  WaybillError,
  type Call,
  type Interceptor,
  type Reply,
} from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { farServer, namesOfOurs, type Answer, type FarServer, type Heard } from '@waybill/conformance/wire'
import { fetchWaybill, undiciWaybill } from './index.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function far(answer?: Answer): Promise<FarServer> {
  const server = await farServer(answer)
  closing.push(() => server.close())
  return server
}

function kitFor(services: Readonly<Record<string, FarServer>>): {
  kit: Kit
  calls: Call[]
  replies: Reply[]
} {
  const [calls, replies]: [Call[], Reply[]] = [[], []]
  const route: Interceptor = (next) => async (call) => {
    calls.push(call)
    const server = services[call.service?.name ?? '']
    const target = { host: '127.0.0.1', port: server?.port ?? 0, tls: false, connectMs: 1000 }
    const reply = await next(server === undefined ? call : { ...call, target })
    replies.push(reply)
    return reply
  }
  return { kit: createKit({ service: 'order', environment: 'test', interceptors: [route] }), calls, replies }
}

const last = (server: FarServer): Heard => server.heard.at(-1) as Heard
const BARE = { kind: 'http', inbound: 'peer', peer: undefined, method: 'GET', url: '/' } as const
const soon = (ms = 10): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe.each([
  ['the built-in fetch', fetch, Request],
  ['fetch of undici', undiciFetch as unknown as typeof fetch, UndiciRequest as unknown as typeof Request],
])('%s', (_name, bare, RequestClass) => {
  test('wrapping again returns it; what is disabled is the bare one', () => {
    const { kit } = kitFor({})
    const wrapped = fetchWaybill(kit, bare)
    expect(fetchWaybill(kit, wrapped)).toBe(wrapped)
    expect(fetchWaybill(kitFor({}).kit, wrapped)).not.toBe(wrapped)
    kit.disable()
    expect(fetchWaybill(kit, bare)).toBe(bare)
  })

  test('a call in no scope is reported with its place, its redirects with no other; else no stack is taken', async () => {
    const inventory = await far(({ url }, res) =>
      url === '/x' ? res.writeHead(302, { location: 'http://inventory/there' }).end() : res.end(),
    )
    const { kit } = kitFor({ inventory })
    const wrapped = fetchWaybill(kit, bare)
    const stacks = vi.spyOn(Error, 'captureStackTrace')
    onTestFinished(() => {
      stacks.mockRestore()
    })
    const callFromALoop = (): Promise<unknown> =>
      wrapped('http://inventory/x').then((response) => response.text())
    adopt(kit, { ...BARE, carrier: carrierOf({}) })
    await callFromALoop()
    const events = recordEvents(['lost'])
    await withWaybill({ clk: 'me' }, callFromALoop)
    expect(stacks).not.toHaveBeenCalledWith(expect.anything(), wrapped)
    await callFromALoop()
    events.stop()
    expect(events.of('lost')).toMatchObject([
      { kind: 'http', place: expect.stringMatching(/^callFromALoop /) },
    ])
  })

  test('disabled later, it is the bare one', async () => {
    const here = await far()
    const kit = createKit({
      service: 'order',
      environment: 'test',
      services: { here: { hosts: [here.origin] } },
    })
    const wrapped = fetchWaybill(kit, bare)
    kit.disable()
    await withWaybill({ clk: 'alice' }, () => wrapped(here.origin))
    expect(namesOfOurs(last(here))).toEqual([])
  })

  test('context open-telemetry/opentelemetry-js#2466 headers in each form: record, pairs, Headers, on a Request, and a Request as init', async () => {
    const inventory = await far()
    const wrapped = fetchWaybill(kitFor({ inventory }).kit, bare)
    const url = 'http://inventory/'
    const forms = [
      { custom: '1' },
      [['custom', '1']],
      new Headers({ custom: '1' }),
      new Map([['custom', '1']]),
    ]
    await withWaybill({ clk: 'alice' }, async () => {
      for (const headers of forms) await wrapped(url, { headers } as object)
      await wrapped(new RequestClass(url, { headers: { custom: '1' } }))
      await wrapped(new RequestClass(url, { headers: { custom: '0' } }), { headers: { custom: '1' } })
      await wrapped(url, new RequestClass('http://other/', { headers: { custom: '1' } }))
      await wrapped(new URL(url), Object.freeze({ headers: Object.freeze({ custom: '1' }) }))
    })
    expect(inventory.heard).toHaveLength(8)
    for (const heard of inventory.heard) {
      expect([heard.lines('custom'), heard.lines('clk'), heard.lines('0')]).toEqual([['1'], ['alice'], []])
    }
  })

  test('an init of a class counts by its accessors; one that throws, or is none, rejects as without the kit', async () => {
    const inventory = await far()
    const wrapped = fetchWaybill(kitFor({ inventory }).kit, bare)
    class Options {
      readonly #method = 'DELETE'
      get method(): string {
        return this.#method
      }
    }
    class Broken {
      get method(): string {
        throw new RangeError('no method')
      }
    }
    await wrapped('http://inventory/', new Options())
    expect(last(inventory).method).toBe('DELETE')
    await expect(wrapped('http://inventory/', new Broken() as object)).rejects.toThrow('no method')
    await expect(wrapped('http://inventory/', 'text' as unknown as object)).rejects.toThrow(TypeError)
    expect(inventory.heard).toHaveLength(1)
  })

  test('a Request with a body goes through, and to the next instance where the first is not there', async () => {
    const inventory = await far()
    const again: Interceptor = (next) => (call) =>
      next({ ...call, target: { host: '127.0.0.1', port: 1, tls: false } }).catch(() =>
        next({ ...call, attempt: 2, target: { host: '127.0.0.1', port: inventory.port, tls: false } }),
      )
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [again] })
    const post = new RequestClass('http://inventory/', { method: 'POST', body: 'all of it' })
    expect((await fetchWaybill(kit, bare)(post)).status).toBe(200)
    expect(last(inventory).body).toBe('all of it')
  })

  test.each([
    ['none', undefined],
    ['replayable', 'text'],
    ['replayable', new Blob(['text'])],
    ['replayable', new URLSearchParams({ a: '1' })],
    ['stream', 'stream'],
  ] as const)('the kind of a body: %s', async (kind, body) => {
    const inventory = await far()
    const { kit, calls } = kitFor({ inventory })
    const sent = body === 'stream' ? new Response('text').body : body
    const init = { method: 'POST', body: sent, duplex: 'half' } as RequestInit
    await fetchWaybill(kit, bare)('http://inventory/', init)
    expect(calls[0]?.body).toBe(kind)
    if (kind !== 'none') expect(last(inventory).body).not.toBe('')
  })

  test('a streamed body is untouched until the connection is made', async () => {
    const gone = await farServer()
    await gone.close()
    let pulled = 0
    const post = (): RequestInit => ({
      method: 'POST',
      body: new ReadableStream<Uint8Array>(
        { pull: (controller) => (pulled++, controller.enqueue(new Uint8Array(1))) },
        { highWaterMark: 0 },
      ),
      ...{ duplex: 'half' },
    })
    await expect(bare(gone.origin, post())).rejects.toThrow()
    const byItself = pulled
    await expect(
      fetchWaybill(kitFor({ inventory: gone }).kit, bare)('http://inventory/', post()),
    ).rejects.toThrow()
    expect(pulled).toBe(2 * byItself)
  })

  test('done settles when the body has ended, and the answer comes before', async () => {
    let finish: () => void = () => undefined
    const inventory = await far((_heard, response) => {
      response.write('one ')
      finish = () => response.end('two')
    })
    const { kit, replies } = kitFor({ inventory })
    const response = await fetchWaybill(kit, bare)('http://inventory/')
    let done = false
    void replies[0]?.done.then(() => (done = true))
    await soon(5)
    expect(done).toBe(false)
    finish()
    expect(await response.text()).toBe('one two')
    await soon()
    expect(done).toBe(true)
  })

  test('a large answer comes whole, at the pace of its reader', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    const inventory = await far((_heard, response) => {
      for (let count = 0; count < 64; count++) response.write(piece)
      response.end()
    })
    const response = await fetchWaybill(kitFor({ inventory }).kit, bare)('http://inventory/')
    let length = 0
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length % 7 === 0) await soon(1)
    }
    expect(length).toBe(64 * piece.length)
  })

  test('an abort ends the call while it is decided, while it is connected and while it is read', async () => {
    const inventory = await far((_heard, response) => void response.write('begun'))
    let hold: Promise<unknown> = Promise.resolve()
    const slow: Interceptor = (next) => async (call) => {
      await hold
      return next({ ...call, target: { host: '127.0.0.1', port: inventory.port, tls: false } })
    }
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [slow] })
    const wrapped = fetchWaybill(kit, bare)
    hold = soon(30)
    await expect(wrapped('http://inventory/', { signal: AbortSignal.timeout(5) })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await soon(50)
    expect(inventory.heard).toHaveLength(0)
    const abort = new AbortController()
    const response = await wrapped('http://inventory/', { signal: abort.signal })
    abort.abort()
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('a refusal of the kit is the cause of fetch’s error', async () => {
    const refuse: Interceptor = () => () => Promise.reject(new WaybillError('ERR_WAYBILL_NO_PROVIDER', {}))
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [refuse] })
    const error: unknown = await fetchWaybill(
      kit,
      bare,
    )('http://inventory/').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(TypeError)
    expect(isWaybillError((error as Error).cause)).toBe(true)
  })

  test('redirect: manual and error are fetch’s own', async () => {
    const inventory = await far((_heard, response) => response.writeHead(302, { location: '/there' }).end())
    const wrapped = fetchWaybill(kitFor({ inventory }).kit, bare)
    expect((await wrapped('http://inventory/', { redirect: 'manual' })).status).toBe(302)
    await expect(wrapped('http://inventory/', { redirect: 'error' })).rejects.toThrow(TypeError)
    expect(inventory.heard).toHaveLength(2)
  })

  test('each hop is a call of its own, after the one before', async () => {
    const inventory = await far(({ url }, response) =>
      url === '/go' ? response.writeHead(302, { location: '/there' }).end() : response.end(),
    )
    const { kit, calls } = kitFor({ inventory })
    await fetchWaybill(kit, bare)('http://inventory/go')
    expect(calls.map(({ url, after }) => [url?.pathname, after])).toEqual([
      ['/go', undefined],
      ['/there', calls[0]?.id],
    ])
    expect(kit.counters).toMatchObject({ settled: 2, injected: 2 })
  })

  test('a dispatcher of the application is asked, with and without a target', async () => {
    const [inventory, stranger] = [await far(), await far()]
    const agent = new Agent()
    closing.push(() => agent.destroy())
    const asked: unknown[] = []
    const own = {
      dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
        asked.push(String(options.origin))
        return agent.dispatch(options, handler)
      },
    }
    const wrapped = fetchWaybill(kitFor({ inventory }).kit, bare)
    await wrapped(stranger.origin, { dispatcher: own } as object)
    await wrapped('http://inventory/', { dispatcher: own } as object)
    expect(asked).toEqual([stranger.origin, inventory.origin])
    expect(last(inventory).lines('host')).toEqual(['inventory'])
  })
})

test.each([
  ['kit', [fetch]],
  ['kit', []],
  ['fetch', [createKit({ service: 'order', environment: 'test' }), {}]],
])('a wrong %s is told where it is handed in', (option, args) => {
  expect(() => Reflect.apply(fetchWaybill, undefined, args) as unknown).toThrow(
    expect.objectContaining({
      code: 'ERR_WAYBILL_CONFIGURATION',
      facts: expect.objectContaining({ call: 'fetchWaybill(kit, fetch)', option }),
    }),
  )
})

test('a mocked dispatcher of undici is asked for the address that was chosen', async () => {
  const inventory = await far()
  const mock = new MockAgent()
  mock.disableNetConnect()
  closing.push(() => mock.close())
  mock.get(inventory.origin).intercept({ path: '/', method: 'POST', body: 'x' }).reply(200, 'mocked')
  const wrapped = fetchWaybill(kitFor({ inventory }).kit, undiciFetch as unknown as typeof fetch)
  const response = await wrapped('http://inventory/', {
    method: 'POST',
    body: 'x',
    dispatcher: mock,
  } as object)
  expect(await response.text()).toBe('mocked')
})

describe('undici, composed', () => {
  const composed = (...list: Dispatcher.DispatcherComposeInterceptor[]): Dispatcher => {
    const agent = new Agent()
    closing.push(() => agent.destroy())
    return agent.compose(...list)
  }
  const redirect = interceptors.redirect({ maxRedirections: 5 })
  const going =
    (to: () => string): Answer =>
    ({ url }, response) =>
      url === '/go' ? response.writeHead(302, { location: to() }).end() : response.end('here')

  test('composed twice it stamps once', async () => {
    const inventory = await far()
    const { kit } = kitFor({ inventory })
    const dispatcher = composed(undiciWaybill(kit), undiciWaybill(kit))
    await withWaybill({ clk: 'alice' }, () => request('http://inventory/', { dispatcher }))
    expect(last(inventory).lines('clk')).toEqual(['alice'])
    expect(kit.counters.injected).toBe(1)
  })

  test('outside of a redirect it follows none, so that nothing leaves the fleet', async () => {
    const stranger = await far()
    const inventory = await far(going(() => stranger.origin))
    const dispatcher = composed(redirect, undiciWaybill(kitFor({ inventory }).kit))
    const { statusCode } = await withWaybill({ clk: 'alice' }, () =>
      request('http://inventory/go', { dispatcher }),
    )
    expect([statusCode, stranger.heard.length]).toEqual([302, 0])
  })

  test('undici’s own retries are calls of their own, after the one that failed', async () => {
    const inventory = await far((_heard, response) => response.writeHead(503).end())
    const { kit, calls } = kitFor({ inventory })
    const retry = interceptors.retry({ maxRetries: 3, minTimeout: 1, maxTimeout: 2, timeoutFactor: 1 })
    const dispatcher = composed(undiciWaybill(kit), retry)
    await withWaybill({ clk: 'alice' }, () =>
      request('http://inventory/', { dispatcher }).catch(() => undefined),
    )
    expect(inventory.heard).toHaveLength(4)
    expect(new Set(inventory.heard.map(({ rawHeaders }) => rawHeaders.join('\n'))).size).toBe(1)
    expect(calls.slice(1).map(({ after }) => after)).toEqual(calls.slice(0, -1).map(({ id }) => id))
  })

  test('a redirect next to it knows that its chain has left the fleet, with retries around it', async () => {
    const inventory = await far(({ url }, response) => {
      if (url === '/go') response.writeHead(302, { location: stranger.origin }).end()
      else if (inventory.heard.length < 4) response.writeHead(503).end()
      else response.end('here')
    })
    const stranger = await far((_heard, response) =>
      response.writeHead(302, { location: `${inventory.origin}/back` }).end(),
    )
    const services = { inventory: { hosts: [inventory.origin] } }
    const kit = createKit({ service: 'order', environment: 'test', services })
    const retry = interceptors.retry({ maxRetries: 1, minTimeout: 1 })
    const dispatcher = composed(undiciWaybill(kit), redirect, retry)
    await withWaybill({ clk: 'alice' }, () => request(`${inventory.origin}/go`, { dispatcher }))
    expect(inventory.heard.map(({ url, lines }) => [url, lines('clk')[0]])).toEqual([
      ['/go', 'alice'],
      ['/back', undefined],
      ['/go', 'alice'],
      ['/back', undefined],
    ])
    expect(stranger.heard.flatMap(namesOfOurs)).toEqual([])
  })

  test('an attempt that an interceptor has given up ends, though its answer never comes', async () => {
    const inventory = await far(() => undefined)
    let attempt: Promise<Reply> | undefined
    const hasty: Interceptor = (next) => async (call) => {
      attempt = next({ ...call, target: { host: '127.0.0.1', port: inventory.port, tls: false } })
      attempt.catch(() => undefined)
      await soon(50)
      throw new Error('too long')
    }
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [hasty] })
    const dispatcher = composed(undiciWaybill(kit))
    await expect(request('http://inventory/', { dispatcher })).rejects.toThrow('too long')
    await expect(attempt).rejects.toThrow('too long')
  })

  test('flat lists and records of headers stay what they are', async () => {
    const inventory = await far()
    const dispatcher = composed(undiciWaybill(kitFor({ inventory }).kit))
    await withWaybill({ clk: 'alice' }, async () => {
      await request('http://inventory/', { dispatcher, headers: ['x-a', '1', 'x-a', '2'] })
      await request('http://inventory/', { dispatcher, headers: { 'x-a': ['1', '2'] } })
    })
    for (const heard of inventory.heard)
      expect([heard.lines('x-a'), heard.lines('clk')]).toEqual([['1', '2'], ['alice']])
  })

  test('an upgrade is carried', async () => {
    const { createServer } = await import('node:http')
    const heard: unknown[] = []
    const server = createServer().on('upgrade', (req, socket) => {
      heard.push(req.headers['clk'])
      socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: own\r\nconnection: upgrade\r\n\r\n')
    })
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    closing.push(() => (server.closeAllConnections(), server.close()))
    const { port } = server.address() as { port: number }
    const dispatcher = composed(undiciWaybill(kitFor({ inventory: { port } as FarServer }).kit))
    const { upgrade } = await import('undici')
    const { socket } = await withWaybill({ clk: 'alice' }, () =>
      upgrade('http://inventory/', { dispatcher, protocol: 'own' }),
    )
    socket.destroy()
    expect(heard).toEqual(['alice'])
  })
})

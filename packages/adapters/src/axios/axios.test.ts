import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import axios, { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import axiosRetry from 'axios-retry'
import followRedirects from 'follow-redirects'
import { createKit, type Kit } from '@waybill/core'
import { isWaybillError, WaybillError, type Call, type Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import {
  farServer,
  listenOnLoopback,
  namesOfOurs,
  type Answer,
  type FarServer,
  type Heard,
} from '@waybill/conformance/wire'
import { axiosWaybill } from './index.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function far(answer?: Answer): Promise<FarServer> {
  const server = await farServer(answer)
  closing.push(() => server.close())
  return server
}

/** A server that answers when it likes; the far one waits for the end of a body. */
async function serve(server: Server): Promise<{ readonly server: Server; readonly port: number }> {
  const { port, close } = await listenOnLoopback(server)
  closing.push(close)
  return { server, port }
}

/** A kit that sends each service to the server given for it, and the calls that it has seen. */
function kitFor(services: Readonly<Record<string, { readonly port: number }>>): { kit: Kit; calls: Call[] } {
  const calls: Call[] = []
  const route: Interceptor = (next) => (call) => {
    calls.push(call)
    const server = services[call.service?.name ?? '']
    if (server === undefined) return next(call)
    return next({ ...call, target: { host: '127.0.0.1', port: server.port, tls: false, connectMs: 1000 } })
  }
  return { kit: createKit({ service: 'order', environment: 'test', interceptors: [route] }), calls }
}

const last = (server: FarServer): Heard => server.heard.at(-1) as Heard
const failure = (error: unknown): AxiosError => error as AxiosError

describe('the wrapper', () => {
  test('context axios/axios#993, #510, #617 what its create() makes is wrapped, what the bare create() makes is not', async () => {
    const here = await far()
    const { kit } = kitFor({})
    const services = { here: { hosts: [here.origin] } }
    const wide = createKit({ service: 'order', environment: 'test', services })
    await withWaybill({ clk: 'alice' }, async () => {
      await axiosWaybill(wide, axios)
        .create()
        .create({ headers: { 'x-own': '1' } })
        .get(here.origin)
      await axios.create().get(here.origin)
      await axios.get(here.origin)
    })
    expect(here.heard.map((heard) => heard.lines('clk'))).toEqual([['alice'], [], []])
    expect(here.heard[0]?.lines('x-own')).toEqual(['1'])
    expect(kit.disabled).toBe(false)
  })

  test('wrapping again returns it; another kit wraps anew', () => {
    const { kit } = kitFor({})
    const wrapped = axiosWaybill(kit, axios.create())
    expect(axiosWaybill(kit, wrapped)).toBe(wrapped)
    expect(axiosWaybill(kitFor({}).kit, wrapped)).not.toBe(wrapped)
  })

  test('it is called like the instance, and everything else is the instance’s', async () => {
    const inventory = await far(({ method, url, body }, response) => response.end(`${method} ${url} ${body}`))
    const { kit } = kitFor({ inventory })
    const bare = axios.create({ baseURL: 'http://inventory/api', responseType: 'text' })
    const http = axiosWaybill(kit, bare)
    const data = async (reply: Promise<AxiosResponse<unknown>>): Promise<unknown> => (await reply).data
    expect(await data(http('/a'))).toBe('GET /api/a ')
    expect(await data(http('/a', { params: { x: [1, 2] } }))).toBe('GET /api/a?x%5B%5D=1&x%5B%5D=2 ')
    expect(await data(http({ url: '/a', method: 'delete' }))).toBe('DELETE /api/a ')
    expect(await data(http.request({ url: '/a' }))).toBe('GET /api/a ')
    expect(await data(http.get('/a'))).toBe('GET /api/a ')
    expect(await data(http.delete('/a', { data: 'x' }))).toBe('DELETE /api/a x')
    expect(await data(http.options('/a'))).toBe('OPTIONS /api/a ')
    expect((await http.head('/a')).status).toBe(200)
    expect(await data(http.post('/a', { b: 1 }))).toBe('POST /api/a {"b":1}')
    expect(await data(http.put('/a', 'c'))).toBe('PUT /api/a c')
    expect(await data(http.patch('/a', 'c'))).toBe('PATCH /api/a c')
    expect(await data(http.postForm('/a', { b: 1 }))).toContain('form-data; name="b"')
    expect(http.getUri({ url: '/a', params: { b: 1 } })).toBe('http://inventory/api/a?b=1')
    expect(http.defaults).toBe(bare.defaults)
    expect(http.interceptors).toBe(bare.interceptors)
    expect(axiosWaybill(kit, axios).isAxiosError).toBe(axios.isAxiosError)
    const whole = axiosWaybill(kit, axios)
    expect((whole as unknown as { default: unknown }).default).toBe(whole)
  })

  test('a frozen instance, frozen config and headers of axios’s own class stay as they are', async () => {
    const inventory = await far()
    const { kit } = kitFor({ inventory })
    const headers = new AxiosHeaders({ 'X-Own': '1', Baggage: 'a=1' })
    const config = Object.freeze({ headers, maxRedirects: 5 })
    const before = JSON.stringify(headers)
    await withWaybill({ clk: 'alice' }, () =>
      axiosWaybill(kit, Object.freeze(axios.create())).get('http://inventory/', config),
    )
    expect(last(inventory).lines('baggage')).toEqual(['clk=alice,waybill-depth=1,a=1'])
    expect(JSON.stringify(headers)).toBe(before)
    expect(Object.keys(config)).toEqual(['headers', 'maxRedirects'])
  })

  test('disabled later, it is the instance', async () => {
    const here = await far()
    const kit = createKit({
      service: 'order',
      environment: 'test',
      services: { here: { hosts: [here.origin] } },
    })
    const http = axiosWaybill(kit, axios.create())
    kit.disable()
    await withWaybill({ clk: 'alice' }, () => http.get(here.origin))
    expect(namesOfOurs(last(here))).toEqual([])
    const bare = axios.create()
    expect(axiosWaybill(kit, bare)).toBe(bare)
  })
})

test.each([
  ['kit', [axios]],
  ['kit', [{}, axios]],
  ['axios', [createKit({ service: 'order', environment: 'test' })]],
])('a wrong %s is told where it is handed in', (option, args) => {
  expect(() => Reflect.apply(axiosWaybill, undefined, args) as unknown).toThrow(
    expect.objectContaining({
      code: 'ERR_WAYBILL_CONFIGURATION',
      facts: expect.objectContaining({ call: 'axiosWaybill(kit, axios)', option }),
    }),
  )
})

describe('interceptors of the application', () => {
  test('context axios/axios#841 one that overwrites our headers after us: ours on the wire in a request, hers outside', async () => {
    const inventory = await far()
    const events = recordEvents(['conflict'])
    closing.push(() => events.stop())
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    http.interceptors.request.use((config) => {
      config.headers.set({ CLK: 'mallory', baggage: 'clk=mallory,b=2' })
      return config
    })
    await withWaybill({ clk: 'alice' }, () => http.get('http://inventory/'))
    await http.get('http://inventory/')
    expect(inventory.heard.map((heard) => heard.lines('clk'))).toEqual([['alice'], ['mallory']])
    expect(inventory.heard.map((heard) => heard.lines('baggage'))).toEqual([
      ['clk=alice,waybill-depth=1,b=2'],
      ['clk=mallory,waybill-depth=1,b=2'],
    ])
    expect(events.of('conflict').map(({ field }) => field)).toContain('clk')
  })

  test('those of the answer see the config that they know, without our headers', async () => {
    const inventory = await far()
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    let sent: InternalAxiosRequestConfig | undefined
    http.interceptors.request.use((config) => (sent = config))
    const response = await withWaybill({ clk: 'alice' }, () => http.get('http://inventory/'))
    expect(response.config.url).toBe('http://inventory/')
    expect(response.config.headers.has('clk')).toBe(false)
    expect(response.config.maxRedirects).toBeUndefined()
    expect(sent?.headers).toBe(response.config.headers)
  })
})

describe('sent again', () => {
  test('context axios/axios#5226, #5187, #5089 instance(error.config), by the wrapper or by the bare instance: one header each time', async () => {
    const inventory = await far((_heard, response) => response.writeHead(503).end())
    const { kit, calls } = kitFor({ inventory })
    const bare = axios.create()
    const http = axiosWaybill(kit, bare)
    await withWaybill({ clk: 'alice' }, async () => {
      let error = failure(await http.get('http://inventory/').catch(failure))
      for (const instance of [http, bare, http]) {
        error = failure(await instance(error.config as InternalAxiosRequestConfig).catch(failure))
      }
    })
    expect(inventory.heard).toHaveLength(4)
    for (const heard of inventory.heard) {
      expect(heard.lines('clk')).toEqual(['alice'])
      expect(heard.lines('baggage')).toEqual(['clk=alice,waybill-depth=1'])
    }
    expect(new Set(inventory.heard.map(({ rawHeaders }) => rawHeaders.length)).size).toBe(1)
    expect(calls.map(({ after }) => after)).toEqual([undefined, calls[0]?.id, calls[1]?.id, calls[2]?.id])
  })

  test.each(['before', 'after'])(
    'axios-retry, put on %s wrapping: each retry is a call of its own that is routed anew; the headers stay as many',
    async (when) => {
      const inventory = await far((_heard, response) => response.writeHead(503).end())
      const { kit, calls } = kitFor({ inventory })
      const bare = axios.create()
      const options = { retries: 20, retryDelay: () => 0 }
      if (when === 'before') axiosRetry(bare, options)
      const http = axiosWaybill(kit, bare)
      if (when === 'after') axiosRetry(http, options)
      await withWaybill({ clk: 'alice' }, () =>
        http.get('http://inventory/', { headers: { baggage: 'a=1' } }).catch(failure),
      )
      expect(inventory.heard).toHaveLength(21)
      expect(new Set(inventory.heard.map(({ rawHeaders }) => rawHeaders.join('\n'))).size).toBe(1)
      expect(last(inventory).lines('baggage')).toEqual(['clk=alice,waybill-depth=1,a=1'])
      expect(calls.slice(1).map(({ after }) => after)).toEqual(calls.slice(0, -1).map(({ id }) => id))
      expect(kit.counters).toMatchObject({ settled: 21, injected: 21 })
    },
  )

  test('an error of axios that is printed shows nothing of the kit', async () => {
    const inventory = await far((_heard, response) => response.writeHead(503).end())
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    const error = await withWaybill({ shardKey: 'secret-buyer' }, () =>
      http.get('http://inventory/').catch(failure),
    )
    expect(inspect((error as AxiosError).config, { depth: 9 })).not.toMatch(/Kit|engine|secret/)
  })

  test('a config that had an answer and is used for another call comes after nothing', async () => {
    const inventory = await far()
    const { kit, calls } = kitFor({ inventory })
    const http = axiosWaybill(kit, axios.create())
    const { config } = await http.get('http://inventory/')
    await http(config)
    await http({ ...config, url: 'http://inventory/other' })
    expect(calls.map(({ after }) => after)).toEqual([undefined, undefined, undefined])
  })

  test('a refusal of the kit is retried by nobody', async () => {
    const refuse: Interceptor = () => () =>
      Promise.reject(new WaybillError('ERR_WAYBILL_NO_PROVIDER', { service: 'x' }))
    let asked = 0
    const count: Interceptor = (next) => (call) => (asked++, next(call))
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [count, refuse] })
    const http = axiosWaybill(kit, axios.create())
    axiosRetry(http, { retries: 3, retryDelay: () => 0 })
    const error: unknown = await http.get('http://inventory/').catch((caught: unknown) => caught)
    expect([isWaybillError(error), asked]).toEqual([true, 1])
  })
})

describe.each(['http', 'fetch'])('errors, %s adapter', (adapter) => {
  test('are axios’s own: a status', async () => {
    const inventory = await far((_heard, response) =>
      response.writeHead(409, { 'x-why': 'taken' }).end('{"no":1}'),
    )
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create({ adapter }))
    const error = failure(await http.get('http://inventory/a', { headers: { 'x-own': '1' } }).catch(failure))
    expect(error).toBeInstanceOf(AxiosError)
    expect(error).toMatchObject({
      code: 'ERR_BAD_REQUEST',
      status: 409,
      message: 'Request failed with status code 409',
    })
    expect(error.response).toMatchObject({ status: 409, data: { no: 1 } })
    expect(error.response?.headers['x-why']).toBe('taken')
    expect(error.config?.url).toBe('http://inventory/a')
    expect(error.response?.config).toBe(error.config)
  })

  test('validateStatus is asked', async () => {
    const inventory = await far((_heard, response) => response.writeHead(409).end())
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create({ adapter }))
    expect((await http.get('http://inventory/', { validateStatus: (status) => status === 409 })).status).toBe(
      409,
    )
    expect((await http.get('http://inventory/', { validateStatus: null })).status).toBe(409)
  })

  test('abort, cancel token and timeout', async () => {
    const inventory = await far((_heard, response) => setTimeout(() => response.end(), 2000))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create({ adapter }))
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 20)
    const aborted: unknown = await http.get('http://inventory/', { signal: abort.signal }).catch(failure)
    expect(axios.isCancel(aborted)).toBe(true)
    const source = axios.CancelToken.source()
    setTimeout(() => source.cancel('enough'), 20)
    const cancelled = failure(
      await http.get('http://inventory/', { cancelToken: source.token }).catch(failure),
    )
    expect([axios.isCancel(cancelled), cancelled.message]).toEqual([true, 'enough'])
    const late = failure(await http.get('http://inventory/', { timeout: 50 }).catch(failure))
    const bare = failure(await axios.get(inventory.origin, { adapter, timeout: 50 }).catch(failure))
    expect(late).toBeInstanceOf(AxiosError)
    expect([late.code, late.message]).toEqual([bare.code, bare.message])
  })

  test('a refused connection names the code and keeps the cause', async () => {
    const gone = await farServer()
    await gone.close()
    const http = axiosWaybill(kitFor({ inventory: gone }).kit, axios.create({ adapter }))
    const error = failure(await http.get('http://inventory/').catch(failure))
    expect(error).toBeInstanceOf(AxiosError)
    expect(error.config?.url).toBe('http://inventory/')
    expect(isWaybillError(error.cause)).toBe(true)
  })

  test('an address that axios refuses is refused by axios', async () => {
    const http = axiosWaybill(kitFor({}).kit, axios.create({ adapter }))
    const error = failure(await http.get('/no-base').catch(failure))
    const bare = failure(await axios.get('/no-base', { adapter }).catch(failure))
    expect([error.name, error.message, error.code]).toEqual([bare.name, bare.message, bare.code])
    const text = (await axios.get<unknown>('data:text/plain,hello', { adapter })).data
    expect((await http.get<unknown>('data:text/plain,hello')).data).toEqual(text)
  })
})

describe('redirects', () => {
  const go =
    (status: number, to: (url: string) => string): Answer =>
    ({ url }, response) =>
      url.startsWith('/go')
        ? response.writeHead(status, { location: to(url) }).end('away')
        : response.end('here')

  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [302, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT'],
  ])('%i after %s is %s', async (status, method, then) => {
    const inventory = await far(go(status, () => '/there'))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    await http.request({ url: 'http://inventory/go', method, data: { a: 1 } })
    const heard = last(inventory)
    expect([heard.method, heard.body]).toEqual([then, then === 'GET' ? '' : '{"a":1}'])
    expect(heard.lines('content-type')).toEqual(then === 'GET' ? [] : ['application/json'])
  })

  test('the address where the chain ended is told where axios tells it', async () => {
    const payment = await far()
    const inventory = await far(go(302, () => 'http://payment/there?x=1'))
    const http = axiosWaybill(kitFor({ inventory, payment }).kit, axios.create())
    const response = await http.get('http://inventory/go')
    expect((response.request as { res: { responseUrl: string } }).res.responseUrl).toBe(
      'http://payment/there?x=1',
    )
    expect(response.config.url).toBe('http://inventory/go')
  })

  test('each hop is a call of its own, after the one before', async () => {
    const inventory = await far(go(302, () => '/there'))
    const { kit, calls } = kitFor({ inventory })
    await axiosWaybill(kit, axios.create()).get('http://inventory/go')
    expect(calls.map(({ url, after }) => [url?.pathname, after])).toEqual([
      ['/go', undefined],
      ['/there', calls[0]?.id],
    ])
    expect(kit.counters).toMatchObject({ settled: 2, injected: 2 })
  })

  test.each([
    [undefined, 22],
    [3, 4],
  ])('more than %s end the chain as axios ends it', async (maxRedirects, requests) => {
    const inventory = await far(go(302, (url) => `${url}o`))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    const config = maxRedirects === undefined ? {} : { maxRedirects }
    const error = failure(await http.get('http://inventory/go', config).catch(failure))
    const bare = failure(await axios.get(`${inventory.origin}/go`, config).catch(failure))
    expect([error.code, error.message]).toEqual([bare.code, bare.message])
    expect(error).toBeInstanceOf(AxiosError)
    expect(error.config?.url).toBe('http://inventory/go')
    expect(inventory.heard).toHaveLength(2 * requests)
  })

  test('maxRedirects: 0 is respected', async () => {
    const inventory = await far(go(302, () => '/there'))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create({ maxRedirects: 0 }))
    const error = failure(await http.get('http://inventory/go').catch(failure))
    expect(error.response?.status).toBe(302)
    expect(inventory.heard).toHaveLength(1)
  })

  test('a location that leads nowhere is an error of axios with its cause', async () => {
    const inventory = await far(go(302, () => 'ftp://elsewhere/'))
    const error = failure(
      await axiosWaybill(kitFor({ inventory }).kit, axios.create()).get('http://inventory/go').catch(failure),
    )
    expect(error).toBeInstanceOf(AxiosError)
    expect(error).toMatchObject({
      code: 'ERR_FR_REDIRECTION_FAILURE',
      cause: { message: 'Unsupported protocol ftp:' },
    })
  })

  test('what proves who the caller is stays with its origin; the rest goes along', async () => {
    const other = await far()
    const inventory = await far(go(302, (url) => (url === '/go' ? '/go/on' : `${other.origin}/`)))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    await http.get('http://inventory/go', {
      headers: { Authorization: 'Bearer x', cookie: 'a=1', 'X-Api-Key': 'k', 'x-own': '1' },
      sensitiveHeaders: ['x-api-key'],
    } as object)
    const [, on] = inventory.heard
    expect([on?.lines('authorization'), on?.lines('x-api-key')]).toEqual([['Bearer x'], ['k']])
    const heard = last(other)
    expect(['authorization', 'cookie', 'x-api-key', 'x-own'].map((name) => heard.lines(name))).toEqual([
      [],
      [],
      [],
      ['1'],
    ])
  })

  test('auth is kept on the origin that it was given for', async () => {
    const other = await far()
    const inventory = await far(go(302, (url) => (url === '/go' ? '/go/on' : `${other.origin}/`)))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    await http.get('http://inventory/go', { auth: { username: 'u', password: 'p' } })
    expect(inventory.heard.map((heard) => heard.lines('authorization').length)).toEqual([1, 1])
    expect(last(other).lines('authorization')).toEqual([])
  })

  test('beforeRedirect is asked as axios asks it, may change the hop, and may end the chain', async () => {
    const inventory = await far(go(302, () => '/there'))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    const asked: unknown[] = []
    await http.get('http://inventory/go', {
      beforeRedirect(options, response) {
        asked.push(options['href'], response.statusCode, response.headers['location'])
        const { headers } = options as { headers: Record<string, string> }
        headers['x-hop'] = '1'
        options['path'] = '/elsewhere'
      },
    })
    expect(asked).toEqual(['http://inventory/there', 302, '/there'])
    expect([last(inventory).url, last(inventory).lines('x-hop')]).toEqual(['/elsewhere', ['1']])
    const stop = (): never => {
      throw new Error('no further')
    }
    const error = failure(await http.get('http://inventory/go', { beforeRedirect: stop }).catch(failure))
    expect(error).toMatchObject({ code: 'ERR_FR_REDIRECTION_FAILURE', cause: { message: 'no further' } })
  })

  test('an answer as a stream is let go where it redirects, and handed over where it does not', async () => {
    const inventory = await far(go(302, () => '/there'))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    const response = await http.get<Readable>('http://inventory/go', { responseType: 'stream' })
    expect(String(await buffer(response.data))).toBe('here')
  })

  test('credentials of the URL are kept on its origin', async () => {
    const inventory = await far(go(302, () => '/there'))
    await axiosWaybill(kitFor({ inventory }).kit, axios.create()).get('http://u:p%40@inventory/go')
    const sent = `Basic ${Buffer.from('u:p@').toString('base64')}`
    expect(inventory.heard.map((heard) => heard.lines('authorization'))).toEqual([[sent], [sent]])
  })

  test('a transport of the application’s own that follows redirects does not: it would take our headers along', async () => {
    const stranger = await far()
    const inventory = await far(go(302, () => stranger.origin))
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create({ transport: followRedirects.http }))
    const error = failure(
      await withWaybill({ clk: 'alice' }, () => http.get('http://inventory/go')).catch(failure),
    )
    expect([error.response?.status, stranger.heard.length]).toEqual([302, 0])
  })

  test('a chain that begins outside of the fleet is axios’s own', async () => {
    const inventory = await far()
    const stranger = await far(go(302, (url) => (url === '/go' ? '/go/on' : '/there')))
    const { kit, calls } = kitFor({ inventory })
    const response = await withWaybill({ clk: 'alice' }, () =>
      axiosWaybill(kit, axios.create()).get(`${stranger.origin}/go`, { headers: { clk: 'alice' } }),
    )
    expect((response.request as { res: { responseUrl: string } }).res.responseUrl).toBe(
      `${stranger.origin}/there`,
    )
    expect(stranger.heard.map((heard) => namesOfOurs(heard))).toEqual([[], [], []])
    expect(calls).toHaveLength(1)
  })

  test.each(['http', 'fetch'])(
    'a stream goes along with 307 whole, also when the answer came before its end (%s adapter)',
    async (adapter) => {
      const inventory = await serve(
        createServer((_, res) => res.writeHead(307, { location: 'http://payment/there' }).end()),
      )
      const payment = await serve(
        createServer((req, res) => {
          void text(req).then((body) => res.end(body))
        }),
      )
      const { kit } = kitFor({ inventory, payment })
      const [uploaded, arrived] = [once(inventory.server, 'connection'), once(payment.server, 'request')]
      const body = new PassThrough()
      body.write('one ')
      const answer = axiosWaybill(kit, axios.create({ adapter })).post<string>('http://inventory/go', body)
      const [connection] = (await uploaded) as [Socket]
      const ended = new Promise((resolve) => connection.on('close', resolve))
      await arrived
      // What is left of the body is for the second hop alone.
      await ended
      body.end('two')
      expect((await answer).data).toBe('one two')
    },
  )

  test('a stream goes along with 307', async () => {
    const payment = await far()
    const inventory = await far(go(307, () => 'http://payment/there'))
    const { kit, calls } = kitFor({ inventory, payment })
    const body = Readable.from(['one ', 'two ', 'three'], { objectMode: false })
    await axiosWaybill(kit, axios.create()).post('http://inventory/go', body)
    expect(last(payment).body).toBe('one two three')
    expect(calls.map((call) => call.body)).toEqual(['stream', 'stream'])
  })

  test('context DataDog/dd-trace-js PR#1260 a POST that is redirected ends, and so does one that fails after it', async () => {
    const gone = await farServer()
    await gone.close()
    const inventory = await far(go(302, () => 'http://gone/'))
    const http = axiosWaybill(kitFor({ inventory, gone }).kit, axios.create())
    const error = failure(await http.post('http://inventory/go', 'x').catch(failure))
    expect(error.cause).toMatchObject({ code: 'ERR_WAYBILL_UNREACHABLE' })
  })

  test('timeout is one for the whole chain', async () => {
    const inventory = await far(({ url }, response) => {
      setTimeout(() => response.writeHead(302, { location: `${url}o` }).end(), 60)
    })
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create({ timeout: 150 }))
    const error = failure(await http.get('http://inventory/go').catch(failure))
    expect(error.message).toBe('timeout of 150ms exceeded')
    expect(inventory.heard.length).toBeLessThan(4)
  })
})

describe('bodies', () => {
  test('context open-telemetry/opentelemetry-js-contrib#2479 eleven calls over one connection leave no listeners behind', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error): number => warnings.push(warning)
    process.on('warning', warn)
    closing.push(() => process.off('warning', warn))
    const inventory = await far()
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create())
    for (let count = 0; count < 12; count++) await http.get('http://inventory/')
    expect(new Set(inventory.heard.map(({ connection }) => connection)).size).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(warnings).toEqual([])
  })

  test('responseType stream: done settles when the body has ended', async () => {
    let finish: () => void = () => undefined
    const inventory = await far((_heard, response) => {
      response.write('one ')
      finish = () => response.end('two')
    })
    let done = false
    const watch: Interceptor = (next) => async (call) => {
      const reply = await next({ ...call, target: { host: '127.0.0.1', port: inventory.port, tls: false } })
      void reply.done.then(() => (done = true))
      return reply
    }
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [watch] })
    const response = await axiosWaybill(kit, axios.create()).get<Readable>('http://inventory/', {
      responseType: 'stream',
    })
    expect(done).toBe(false)
    finish()
    expect(String(await buffer(response.data))).toBe('one two')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(done).toBe(true)
  })

  test.each([
    [undefined, 'none'],
    ['text', 'replayable'],
    [{ a: 1 }, 'replayable'],
    [Buffer.from('bytes'), 'replayable'],
    [new URLSearchParams({ a: '1' }), 'replayable'],
    [Readable.from(['x'], { objectMode: false }), 'stream'],
  ])('the kind of %s is %s', async (data, kind) => {
    const inventory = await far()
    const { kit, calls } = kitFor({ inventory })
    await axiosWaybill(kit, axios.create()).post('http://inventory/', data)
    expect(calls[0]?.body).toBe(kind)
  })
})

describe('adapters of the application', () => {
  test('a function is given stamped headers, and agents and a dispatcher that lead to the target', async () => {
    const inventory = await far()
    let given: InternalAxiosRequestConfig | undefined
    const adapter = (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
      given = config
      return axios.getAdapter('http')(config)
    }
    const http = axiosWaybill(kitFor({ inventory }).kit, axios.create({ adapter }))
    await withWaybill({ clk: 'alice' }, () => http.get('http://inventory/'))
    expect(given?.headers).toBeInstanceOf(AxiosHeaders)
    expect(given?.headers.get('clk')).toBe('alice')
    expect(given?.url).toBe('http://inventory/')
    expect(last(inventory).lines('host')).toEqual(['inventory'])
  })

  test('env.fetch is used', async () => {
    const inventory = await far()
    let used = 0
    const own: typeof fetch = (...args) => (used++, fetch(...args))
    const http = axiosWaybill(
      kitFor({ inventory }).kit,
      axios.create({ adapter: 'fetch', env: { fetch: own } } as object),
    )
    await withWaybill({ clk: 'alice' }, () => http.get('http://inventory/'))
    expect([used, last(inventory).lines('clk')]).toEqual([1, ['alice']])
  })

  test('one that does not follow redirects outside of the fleet is not followed by the kit', async () => {
    const adapter = (config: InternalAxiosRequestConfig): Promise<AxiosResponse> =>
      axios.getAdapter('http')({ ...config, maxRedirects: 0 })
    const inventory = await far()
    const stranger = await far((_heard, response) =>
      response.writeHead(302, { location: 'http://inventory/' }).end(),
    )
    const { kit, calls } = kitFor({ inventory })
    const http = axiosWaybill(kit, axios.create({ adapter, validateStatus: null }))
    expect((await http.get(stranger.origin)).status).toBe(302)
    expect(calls).toHaveLength(1)
  })

  test('an adapter that is set as default after wrapping counts', async () => {
    const http = axiosWaybill(kitFor({}).kit, axios.create())
    http.defaults.adapter = (config) =>
      Promise.resolve({ data: 'mocked', status: 200, statusText: 'OK', headers: {}, config })
    expect((await http.get('http://inventory/')).data).toBe('mocked')
  })
})

test('beforeRedirect may name a path that begins with two slashes: the host stays', async () => {
  const inventory = await far(({ url }, response) =>
    url === '/go' ? response.writeHead(302, { location: '/there' }).end() : response.end('ok'),
  )
  const { kit } = kitFor({ inventory })
  await axiosWaybill(kit, axios).get('http://inventory/go', {
    beforeRedirect: (options) => (options['path'] = '//evil.example/x'),
  })
  expect([last(inventory).url, last(inventory).lines('host')]).toEqual(['//evil.example/x', ['inventory']])
})

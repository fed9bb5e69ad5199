import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { createKit, currentWaybill, tryCurrentWaybill, type Kit } from '@waybill/core'
import { WaybillError, type Call, type Interceptor } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { farServer, namesOfOurs, type Answer, type FarServer, type Heard } from '@waybill/conformance/wire'
import { httpWaybill } from './index.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function far(answer?: Answer): Promise<FarServer> {
  const server = await farServer(answer)
  closing.push(() => server.close())
  return server
}

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

async function answerOf(request: ClientRequest): Promise<string> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return text(response)
}

describe('the wrapper', () => {
  test('wrapping again returns it; all else is the module’s; what is disabled is the module', () => {
    const { kit } = kitFor({})
    const wrapped = httpWaybill(kit, http)
    expect(httpWaybill(kit, wrapped)).toBe(wrapped)
    expect([wrapped.Agent, wrapped.createServer, wrapped.STATUS_CODES]).toEqual([
      http.Agent,
      http.createServer,
      http.STATUS_CODES,
    ])
    expect(http.request).not.toBe(wrapped.request)
    kit.disable()
    expect(httpWaybill(kit, https)).toBe(https)
  })

  test('every form of request and get', async () => {
    const inventory = await far(({ method, url }, response) => response.end(`${method} ${url}`))
    const { kit } = kitFor({ inventory })
    const wrapped = httpWaybill(kit, http)
    const got = (send: (onResponse: (response: IncomingMessage) => void) => ClientRequest): Promise<string> =>
      new Promise((resolve, reject) => {
        send((response) => void text(response).then(resolve))
          .on('error', reject)
          .end()
      })
    const options = { host: 'inventory', path: '/a?b=1' }
    expect(await got((on) => wrapped.request('http://inventory/a?b=1', on))).toBe('GET /a?b=1')
    expect(await got((on) => wrapped.request(new URL('http://inventory/a'), { method: 'delete' }, on))).toBe(
      'DELETE /a',
    )
    expect(await got((on) => wrapped.request({ ...options, method: 'PUT' }, on))).toBe('PUT /a?b=1')
    expect(await got((on) => wrapped.get(options, on))).toBe('GET /a?b=1')
    expect(await got((on) => wrapped.get('http://inventory/x', { path: '/y' }, on))).toBe('GET /y')
    expect(await answerOf(wrapped.get(Object.freeze({ hostname: 'inventory' })))).toBe('GET /')
    expect(inventory.heard.map((heard) => heard.lines('host'))).toEqual(
      Array.from({ length: 6 }, () => ['inventory']),
    )
  })

  test('what node:http refuses is refused at once, by it', () => {
    const wrapped = httpWaybill(kitFor({}).kit, http)
    expect(() => wrapped.request('no url')).toThrow(expect.objectContaining({ code: 'ERR_INVALID_URL' }))
    expect(() => wrapped.request('https://inventory/')).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_PROTOCOL' }),
    )
    expect(() => wrapped.request('http://inventory/', { headers: { 'a b': '1' } })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_HTTP_TOKEN' }),
    )
  })
})

describe('headers', () => {
  test('context apify/proxy-chain#585 a flat list of headers', async () => {
    const inventory = await far()
    const wrapped = httpWaybill(kitFor({ inventory }).kit, http)
    const headers = ['Host', 'inventory', 'x-a', '1', 'X-B', '2', 'x-b', '3', 'CLK', 'mallory']
    await withWaybill({ clk: 'alice' }, () =>
      answerOf(wrapped.get('http://inventory/', { headers: headers })),
    )
    const heard = last(inventory)
    expect([heard.lines('x-a'), heard.lines('x-b'), heard.lines('clk')]).toEqual([
      ['1'],
      ['2', '3'],
      ['alice'],
    ])
    expect([heard.lines('0'), heard.lines('1')]).toEqual([[], []])
  })

  test('those that are set before the end count; their methods are node:http’s', async () => {
    const inventory = await far()
    const request = withWaybill({ clk: 'alice' }, () =>
      httpWaybill(kitFor({ inventory }).kit, http).request('http://inventory/', {
        headers: { 'X-Gone': '1', 'x-own': '1' },
      }),
    )
    request.removeHeader('x-gone')
    request.setHeader('X-Late', ['1', '2'])
    request.setHeader('Clk', 'mallory')
    expect([request.getHeader('x-late'), request.hasHeader('x-own'), request.getHeaderNames()]).toEqual([
      ['1', '2'],
      true,
      ['x-own', 'x-late', 'clk'],
    ])
    request.end()
    await answerOf(request)
    const heard = last(inventory)
    expect([heard.lines('x-late'), heard.lines('x-gone'), heard.lines('clk')]).toEqual([
      ['1', '2'],
      [],
      ['alice'],
    ])
  })

  test('those that are set while the request waits for its body count, too; ours stay; sent ones refuse', async () => {
    const inventory = await far()
    const request = withWaybill({ clk: 'alice' }, () =>
      httpWaybill(kitFor({ inventory }).kit, http).request('http://inventory/', {
        method: 'POST',
        headers: { 'x-gone': '1', 'x-more': '1' },
      }),
    )
    await once(request, 'socket')
    request.setHeader('authorization', 'Bearer s')
    request.setHeaders(new Map([['x-map', '1']]))
    request.appendHeader('X-More', '2')
    request.removeHeader('X-Gone')
    request.setHeader('CLK', 'mallory')
    request.removeHeader('clk')
    const answer = answerOf(request)
    request.write('x')
    expect(request.headersSent).toBe(true)
    expect(() => request.setHeader('x-late', '1')).toThrow(
      expect.objectContaining({ code: 'ERR_HTTP_HEADERS_SENT' }),
    )
    expect(request.hasHeader('x-late')).toBe(false)
    request.end()
    await answer
    const { lines } = last(inventory)
    expect(['authorization', 'x-map', 'x-more', 'x-gone', 'clk'].map((name) => lines(name))).toEqual([
      ['Bearer s'],
      ['1'],
      ['1', '2'],
      [],
      ['alice'],
    ])
  })

  test('trailers', async () => {
    const trailers: unknown[] = []
    const server = http.createServer((req, res) => {
      void text(req).then(() => {
        trailers.push(req.trailers['x-sum'])
        res.end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => (server.closeAllConnections(), server.close()))
    const wrapped = httpWaybill(kitFor({ inventory: server.address() as AddressInfo }).kit, http)
    for (const waits of [false, true]) {
      const request = wrapped.request('http://inventory/', { method: 'POST', headers: { trailer: 'x-sum' } })
      if (waits) await once(request, 'socket')
      request.write('x')
      expect(() => request.addTrailers({ 'a b': '1' })).toThrow(
        expect.objectContaining({ code: 'ERR_INVALID_HTTP_TOKEN' }),
      )
      request.addTrailers({ 'x-sum': '7' })
      request.end()
      await answerOf(request)
    }
    expect(trailers).toEqual(['7', '7'])
  })

  test('D4-19 with Expect: 100-continue they are stamped before anything leaves', async () => {
    const heard: unknown[] = []
    const server = http
      .createServer()
      .on('checkContinue', (req: IncomingMessage, res: http.ServerResponse) => {
        heard.push(req.headers['clk'], req.headers.expect)
        res.writeContinue()
        void text(req).then((body) => res.end(body))
      })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => (server.closeAllConnections(), server.close()))
    const { kit } = kitFor({ inventory: server.address() as AddressInfo })
    const request = withWaybill({ clk: 'alice' }, () =>
      httpWaybill(kit, http).request('http://inventory/', {
        method: 'POST',
        headers: { Expect: '100-continue' },
      }),
    )
    request.on('continue', () => request.end('the body'))
    expect(await answerOf(request)).toBe('the body')
    expect(heard).toEqual(['alice', '100-continue'])
  })
})

describe('bodies', () => {
  test('a stream goes through, one that is complete at once may be sent again', async () => {
    const inventory = await far(({ body }, response) => response.end(String(body.length)))
    const { kit, calls } = kitFor({ inventory })
    const wrapped = httpWaybill(kit, http)
    const post = (): ClientRequest => wrapped.request('http://inventory/', { method: 'POST' })
    const streamed = post()
    const answer = answerOf(streamed)
    await pipeline(
      Readable.from(
        Array.from({ length: 100 }, () => 'x'.repeat(10_000)),
        { objectMode: false },
      ),
      streamed,
    )
    expect(await answer).toBe('1000000')
    const whole = post()
    whole.write('one ')
    whole.end('two')
    expect(await answerOf(whole)).toBe('7')
    const none = post()
    none.end()
    expect(await answerOf(none)).toBe('0')
    const one = post()
    one.end('text')
    await answerOf(one)
    expect(last(inventory).lines('content-length')).toEqual(['4'])
    expect(calls.map(({ body }) => body)).toEqual(['stream', 'replayable', 'none', 'replayable'])
  })

  test('finish and close are told, and an answer that nobody wants is let go', async () => {
    const inventory = await far()
    const request = httpWaybill(kitFor({ inventory }).kit, http).get('http://inventory/')
    const [finished, closed] = [once(request, 'finish'), once(request, 'close')]
    await finished
    await closed
    expect([request.destroyed, request.writableFinished]).toEqual([true, true])
  })
})

describe('ends', () => {
  test('an abort, a destroy and a refusal of the kit', async () => {
    const inventory = await far(() => undefined)
    const { kit } = kitFor({ inventory })
    const wrapped = httpWaybill(kit, http)
    const error = (request: ClientRequest): Promise<unknown[]> =>
      once(request, 'error').catch((caught: unknown) => [caught])
    const abort = new AbortController()
    const aborted = error(wrapped.get('http://inventory/', { signal: abort.signal }))
    setTimeout(() => abort.abort(), 20)
    expect(await aborted).toMatchObject([{ name: 'AbortError' }])
    expect(await error(wrapped.get('http://inventory/', { signal: AbortSignal.abort() }))).toMatchObject([
      { name: 'AbortError' },
    ])
    const destroyed = wrapped.get('http://inventory/')
    const hungUp = error(destroyed)
    destroyed.destroy()
    expect(await hungUp).toMatchObject([{ code: 'ECONNRESET', message: 'socket hang up' }])
    const refuse: Interceptor = () => () => Promise.reject(new WaybillError('ERR_WAYBILL_NO_PROVIDER', {}))
    const strict = createKit({ service: 'order', environment: 'test', interceptors: [refuse] })
    expect(await error(httpWaybill(strict, http).get('http://inventory/'))).toMatchObject([
      { code: 'ERR_WAYBILL_NO_PROVIDER' },
    ])
  })

  test('timeouts are node:http’s', async () => {
    const inventory = await far(() => undefined)
    const wrapped = httpWaybill(kitFor({ inventory }).kit, http)
    const byOption = wrapped.get('http://inventory/', { timeout: 30 })
    byOption.on('timeout', () => byOption.destroy(new Error('late')))
    await expect(once(byOption, 'response')).rejects.toThrow('late')
    const bySetting = wrapped.get('http://inventory/')
    bySetting.setTimeout(30, () => bySetting.destroy(new Error('late')))
    await expect(once(bySetting, 'response')).rejects.toThrow('late')
  })

  test('what the application throws when it hears of the answer is uncaught, and no failure of the call', async () => {
    const inventory = await far()
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    closing.push(() => {
      process.removeAllListeners('uncaughtException')
      for (const other of others) process.on('uncaughtException', other)
    })
    const request = httpWaybill(kitFor({ inventory }).kit, http).get('http://inventory/', () => {
      throw new TypeError('a bug of the application')
    })
    const heard = await new Promise((resolve) => {
      process.once('uncaughtException', (error) => resolve(['uncaught', error.message]))
      request.once('error', (error) => resolve(['failed', error.message]))
    })
    expect(heard).toEqual(['uncaught', 'a bug of the application'])
  })

  test('a body that breaks off is an error of the answer', async () => {
    const inventory = await far((_heard, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun')
      setTimeout(() => response.socket?.destroy(), 20)
    })
    const request = httpWaybill(kitFor({ inventory }).kit, http).get('http://inventory/')
    await expect(answerOf(request)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

test('the answer is heard in the waybill of the call', async () => {
  const inventory = await far()
  const wrapped = httpWaybill(kitFor({ inventory }).kit, http)
  for (const clk of ['r1', 'r2']) {
    const seen = await withWaybill({ clk }, () => {
      const events: unknown[] = []
      return new Promise<unknown[]>((resolve) => {
        wrapped.get('http://inventory/', (response) => {
          events.push(currentWaybill().clk)
          response
            .on('data', () => events.push(currentWaybill().clk))
            .on('end', () => resolve([...events, currentWaybill().clk]))
        })
      })
    })
    expect(seen).toEqual([clk, clk, clk])
  }
  expect(tryCurrentWaybill()).toBeUndefined()
})

test('an upgrade is carried, and its connection handed over', async () => {
  const server = http.createServer().on('upgrade', (req: IncomingMessage, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: own\r\nconnection: upgrade\r\nx-clk: ${String(req.headers['clk'])}\r\n\r\n`,
    )
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => (server.closeAllConnections(), server.close()))
  const { kit } = kitFor({ inventory: server.address() as AddressInfo })
  const request = withWaybill({ clk: 'alice' }, () =>
    httpWaybill(kit, http).get('http://inventory/', { headers: { connection: 'upgrade', upgrade: 'own' } }),
  )
  const [response, socket] = (await once(request, 'upgrade')) as [IncomingMessage, Socket]
  expect(response.headers['x-clk']).toBe('alice')
  socket.write('hello')
  expect(String((await once(socket, 'data'))[0])).toBe('hello')
  socket.destroy()
})

test('a tunnel through a proxy carries nothing and is not routed', async () => {
  const heard: IncomingMessage[] = []
  const proxy = http.createServer().on('connect', (req: IncomingMessage, socket) => {
    heard.push(req)
    socket.end('HTTP/1.1 200 OK\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  closing.push(() => (proxy.closeAllConnections(), proxy.close()))
  const { port } = proxy.address() as AddressInfo
  const { kit } = kitFor({})
  const request = withWaybill({ clk: 'alice' }, () =>
    httpWaybill(kit, http).request({ host: '127.0.0.1', port, method: 'CONNECT', path: 'inventory:443' }),
  )
  request.end()
  const [response] = (await once(request, 'connect')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  expect(heard.map(({ url, headers }) => [url, headers['clk'], headers['baggage']])).toEqual([
    ['inventory:443', undefined, undefined],
  ])
})

test('agents of the application are used where there is no target', async () => {
  const stranger = await far()
  const agent = new http.Agent({ keepAlive: true })
  closing.push(() => agent.destroy())
  const wrapped = httpWaybill(kitFor({}).kit, http)
  for (let count = 0; count < 2; count++) {
    await answerOf(wrapped.get(stranger.origin, { agent }))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(stranger.heard.map(({ connection }) => connection)).toEqual([1, 1])
  expect(Object.keys(agent.freeSockets)).toHaveLength(1)
  expect(namesOfOurs(last(stranger))).toEqual([])
})

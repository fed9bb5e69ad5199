import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, ServerResponse, type RequestListener, type Server } from 'node:http'
import type express5 from 'express'
import type { Express, RequestHandler } from 'express'
import { createKit } from '@waybill/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expresses, expressApplication } from '../../test/express-application.js'
import { listen, raw } from '../../test/loopback.js'
import { waybillListener } from '../node-http/index.js'
import { expressServerOptions, expressWaybill } from './index.js'

const kit = createKit({ service: 'order', environment: 'test' })

const BODY = '{"a":1,"b":["c"]}'
const PART =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\nContent-Type: text/plain\r\n\r\n' +
  `${'x'.repeat(70_000)}\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--b--\r\n`

/** A request as it is written. The last one on its connection closes it. */
const ask = (line: string, headers = '', body = '', close = true): string =>
  `${line} HTTP/1.1\r\nHost: order\r\nclk: me\r\n${headers}${
    body === '' ? '' : `Content-Length: ${String(Buffer.byteLength(body))}\r\n`
  }${close ? 'Connection: close\r\n' : ''}\r\n${body}`

const of = (type: string): string => `Content-Type: ${type}\r\n`

/** What is sent, piece by piece, and what the answer must contain. */
const exchanges: Record<string, readonly [readonly string[], RegExp]> = {
  'the fields of a GET': [
    [ask('GET /fields?a=b&c[d]=e')],
    /"own":\[false,false,false,false,false,false,false,true\]/,
  ],
  'the fields of a POST before a parser': [
    [ask('POST /fields', of('application/json'), BODY)],
    /"own":\[false/,
  ],
  'a text': [[ask('GET /text')], /some text$/],
  'a text that the client has': [
    [ask('GET /text', 'If-None-Match: W/"9-SmQ35TrGkHnnRaw3DOGF8Rd3kHQ"\r\n')],
    /^HTTP/,
  ],
  HEAD: [[ask('HEAD /text')], /\r\n\r\n$/],
  OPTIONS: [[ask('OPTIONS /text')], /Allow: GET/],
  'a method that no route has': [[ask('DELETE /text')], /404 Not Found/],
  'what no route has': [[ask('GET /none')], /404 Not Found/],
  'a path that cannot be decoded': [[ask('GET /orders/%zz/items/1')], /400 Bad Request/],
  'an absolute URL': [[ask('GET http://order/fields?a=b')], /"originalUrl"|\/\/order/],
  JSON: [[ask('POST /json', of('application/json'), BODY)], /\{"a":1,"b":\["c"\]\}$/],
  'JSON in chunks': [
    [
      `POST /json HTTP/1.1\r\nHost: order\r\nConnection: close\r\n${of('application/json')}Transfer-Encoding: chunked\r\n\r\n`,
      '5\r\n{"a":\r\n',
      '2\r\n7}\r\n0\r\n\r\n',
    ],
    /\{"a":7\}$/,
  ],
  'bad JSON': [[ask('POST /json', of('application/json'), '{bad')], /400 Bad Request/],
  'no JSON': [[ask('POST /json', 'Content-Length: 0\r\n')], /200 OK/],
  'a form': [
    [ask('POST /form', of('application/x-www-form-urlencoded'), 'a[b]=c&d=e')],
    /\{"a":\{"b":"c"\},"d":"e"\}$/,
  ],
  'an upload': [[ask('POST /upload', of('multipart/form-data; boundary=b'), PART)], /\[70000,\{"a":"b"\}\]$/],
  'a file': [[ask('GET /file')], /200 OK[^]*import/],
  'a part of a file': [[ask('GET /file', 'Range: bytes=2-9\r\n')], /206 Partial Content/],
  'no part of a file': [[ask('GET /file', 'Range: bytes=900000-\r\n')], /416 Range Not Satisfiable/],
  'a redirect': [[ask('GET /moved', 'Accept: text/html\r\n')], /302 Found/],
  'cookies and a format': [[ask('GET /cookies', 'Accept: text/html\r\n')], /Set-Cookie: a=b[^]*<p>1/],
  'an error page': [[ask('GET /throws')], /500 Internal Server Error[^]*thrown on purpose/],
  'a streamed answer': [[ask('GET /streamed')], /\r\n3\r\ndef\r\n/],
  'trailers of the answer': [[ask('GET /trailers')], /x-sum: 4/],
  'trailers of the request': [
    [
      'POST /events HTTP/1.1\r\nHost: order\r\nConnection: close\r\nTrailer: x-sum\r\nTransfer-Encoding: chunked\r\n\r\n',
      '3\r\nabc\r\n',
      '0\r\nx-sum: 3\r\n\r\n',
    ],
    /\["abc",\{"x-sum":"3"\}\]$/,
  ],
  'a router with merged parameters': [
    [ask('GET /orders/7/items/nine')],
    /\[\{"order":"7","item":"nine"\},"NINE"/,
  ],
  'a sub-app of a sub-app': [[ask('GET /sub/inner?x=1')], /\["inner",true,true,"\/sub\/inner"/],
  'an error that leaves a sub-app': [
    [ask('GET /sub/inner/none')],
    /418[^]*\["of the inner app","sub",true\]/,
  ],
  'what stands behind a sub-app': [[ask('GET /after/all')], /\[true,true,"\/after","\/all"\]/],
  'HTTP/1.0': [['GET /fields HTTP/1.0\r\n\r\n'], /200 OK/],
  'a malformed request': [['GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n'], /400 Bad Request/],
  'requests on one connection': [
    [ask('GET /once', '', '', false), ask('POST /once', '', 'abc', false), ask('GET /once')],
    /(\[false,\[\],\[\]\][^]*){3}$/,
  ],
  'pipelined requests': [
    [
      ask('GET /slow', '', '', false) +
        ask('POST /json', of('application/json'), BODY, false) +
        ask('GET /text'),
    ],
    /slow[^]*"a":1[^]*some text$/,
  ],
  'a body that is announced': [
    [ask('POST /json', `${of('application/json')}Expect: 100-continue\r\n`, BODY)],
    /100 Continue[^]*"a":1/,
  ],
  'an upgrade that nobody serves': [
    [ask('GET /text', 'Upgrade: other\r\nConnection: upgrade\r\n', '', true)],
    /some text/,
  ],
}

interface Way {
  /** What stands in the app before its routes. */
  readonly first?: readonly RequestHandler[]
  readonly listener?: (app: Express) => RequestListener
}

const ways: Record<string, Way> = {
  'the app alone': {},
  'the middleware in the app': { first: [expressWaybill(kit)] },
  'the listener around the app': { listener: (app) => waybillListener(kit, app) },
}

/** Dates apart, the bytes of an answer are those of another server's. */
const dateless = (answer: string): string => answer.replaceAll(/^Date: .*$/gm, 'Date: then')

/** An error page shows the stack. Where events are bound to their scope, frames of the kit are in it. */
const stackless = (answer: string): string =>
  answer.includes(' &nbsp;at ')
    ? answer.replace(/<br> &nbsp; &nbsp;at .*(?=<\/pre>)/, '').replace(/^Content-Length: .*$/m, '')
    : answer

/** A server of the app as it is, and one of another such app with the helper. */
async function both(make: () => Express, { listener }: Way = {}, also: (server: Server) => void = () => {}) {
  const ports: number[] = []
  for (const withHelper of [false, true]) {
    const app = make()
    const server = createServer(withHelper ? expressServerOptions(app) : {}, listener?.(app) ?? app)
    also(server)
    ports.push(await listen(server))
  }
  return async (...pieces: readonly string[]): Promise<readonly [string, string]> => {
    const [bare, shaped] = await Promise.all(ports.map((port) => raw(port, ...pieces)))
    return [dateless(bare ?? ''), dateless(shaped ?? '')]
  }
}

/** What express gives a request a getter for, and no setter. */
const gettersOf = (express: typeof express5): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(express.request)).flatMap(([name, { get }]) =>
    get === undefined ? [] : [name],
  )

describe.each(expresses)('%s answers the same with expressServerOptions and without', (_name, express) => {
  test.each(Object.entries(ways))('%s', async (_way, way) => {
    const exchange = await both(() => expressApplication(express, way.first), way)
    for (const [title, [pieces, expected]] of Object.entries(exchanges)) {
      const [bare, shaped] = await exchange(...pieces)
      expect(bare, title).toMatch(expected)
      const told = way === ways['the app alone'] ? String : stackless
      expect(told(shaped), title).toBe(told(bare))
    }
  })

  test('extensions of the app and of express, made before the helper is called and after', async () => {
    const shared = express.request as unknown as Record<string, unknown>
    const make = (when: 'before' | 'after') => {
      const tellRoute: RequestHandler = (req, res, next) => {
        res.set('x-route', String(req.route))
        next()
      }
      const app = expressApplication(express, [tellRoute])
      const extend = (): void => {
        Object.defineProperty(app.request, 'tenant', { get: () => when, configurable: true })
        Object.assign(app.response, {
          shout(this: { send(text: string): void }, text: string) {
            this.send(text.toUpperCase())
          },
          locals: { inherited: when },
        })
        Object.assign(app.request, { route: when })
        shared['user'] = when
      }
      if (when === 'before') extend()
      else setImmediate(extend)
      return app
    }
    try {
      for (const when of ['before', 'after'] as const) {
        const exchange = await both(() => make(when))
        for (const [path, expected] of [
          ['/fields', new RegExp(`"locals":\\{"inherited":"${when}"\\},"tenant":"${when}"`)],
          ['/fields', /"own":\[false,true/],
          ['/fields', new RegExp(`x-route: ${when}`, 'i')],
          ['/shout', /HELLO$/],
        ] as const) {
          const [bare, shaped] = await exchange(ask(`GET ${path}`))
          expect(bare).toMatch(expected)
          expect(shaped).toBe(bare)
        }
      }
    } finally {
      delete shared['user']
    }
  })

  test('listeners of the server beside the app: checkContinue, checkExpectation, upgrade, connect', async () => {
    const exchange = await both(
      () => expressApplication(express),
      {},
      (server) => {
        server.on('checkContinue', (req, res) => {
          if (req.url === '/refused') res.writeHead(417).end(`refused ${String('body' in req)}`)
          else {
            res.writeContinue()
            server.emit('request', req, res)
          }
        })
        server.on('checkExpectation', (req, res) => {
          res.writeHead(417, { 'x-expected': req.headers.expect }).end()
        })
        for (const event of ['upgrade', 'connect']) {
          server.on(event, (req, socket, head) => {
            const told = JSON.stringify([req.method, req.url, req.headers, String(head), 'body' in req])
            socket.end(
              `HTTP/1.1 101 Switching Protocols\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\n${told}`,
            )
          })
        }
      },
    )
    const expecting = (path: string, what: string): string =>
      ask(`POST ${path}`, `${of('application/json')}Expect: ${what}\r\n`, BODY)
    for (const [request, expected] of [
      [expecting('/json', '100-continue'), /100 Continue[^]*"a":1/],
      [expecting('/refused', '100-continue'), /417[^]*refused false/],
      [expecting('/json', 'other'), /x-expected: other/],
      [
        `${ask('GET /up', 'Upgrade: own\r\nConnection: Upgrade\r\n', '', false)}head`,
        /101[^]*"\/up"[^]*"head",false\]$/,
      ],
      [`CONNECT order:80 HTTP/1.1\r\nHost: order\r\n\r\nhead`, /101[^]*"CONNECT"/],
    ] as const) {
      const [bare, shaped] = await exchange(request)
      expect(bare).toMatch(expected)
      expect(shaped).toBe(bare)
    }
  })

  test.each(gettersOf(express))(
    'a listener that assigns %s: around the app, and in the app',
    async (name) => {
      const strictly = (req: object): string => {
        try {
          Object.assign(req, { [name]: ['assigned', name] })
          return 'done'
        } catch (error) {
          return String(error)
        }
      }
      const make = (): Express =>
        express().use((req, res) => {
          const before: unknown = Reflect.get(req, name)
          const sloppily = Reflect.set(req, name, 'late')
          const after = { strictly: strictly(req), value: Reflect.get(req, name) as unknown }
          res.end(JSON.stringify({ before, sloppily, after }))
        })
      for (const [way, expected] of [
        [{}, /"sloppily":false,"after":\{"strictly":"TypeError/],
        [
          {
            listener:
              (app: Express): RequestListener =>
              (req, res) => {
                expect(strictly(req)).toBe('done')
                app(req, res)
              },
          },
          new RegExp(`"before":\\["assigned","${name}"\\],"sloppily":true,"after":\\{"strictly":"done"`),
        ],
      ] as const) {
        const exchange = await both(make, way)
        const [bare, shaped] = await exchange(ask('GET /a?b=c'))
        expect(bare).toMatch(expected)
        expect(shaped).toBe(bare)
      }
    },
  )

  test('what sees a request before the app may walk over it and assign what express has getters for', async () => {
    const getters = gettersOf(express)
    /** Of the fields with a value: those without are declared. */
    const walk = (req: object): string => {
      const told: string[] = []
      for (const name in req) if (Reflect.get(req, name) !== undefined) told.push(name)
      const inherited = getters.filter((name) => name in req)
      for (const name of getters) Object.assign(req, { [name]: name })
      return JSON.stringify([
        told.sort(),
        inherited,
        getters.map((name) => Reflect.get(req, name) as unknown),
      ])
    }
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\n'
    const seeing: Record<string, (server: Server) => void> = {
      upgrade: (server) => server.on('upgrade', (req, socket) => socket.end(switching + walk(req))),
      connect: (server) => server.on('connect', (req, socket) => socket.end(switching + walk(req))),
      checkContinue: (server) => server.on('checkContinue', (req, res) => res.end(walk(req))),
      checkExpectation: (server) => server.on('checkExpectation', (req, res) => res.end(walk(req))),
      dropRequest: (server) => {
        server.maxRequestsPerSocket = 1
        server.on('dropRequest', (req, socket) => socket.write(`dropped ${walk(req)}`))
      },
      request: (server) =>
        server.prependListener('request', (req, res) =>
          res.setHeader('x-walk', [walk(req), String('json' in res)]),
        ),
    }
    const asking: Record<string, readonly string[]> = {
      upgrade: [ask('GET /', 'Upgrade: own\r\nConnection: Upgrade\r\n', '', false)],
      connect: ['CONNECT order:80 HTTP/1.1\r\nHost: order\r\n\r\n'],
      checkContinue: [ask('POST /', 'Expect: 100-continue\r\n', BODY)],
      checkExpectation: [ask('POST /', 'Expect: other\r\n', BODY)],
      dropRequest: [ask('GET /text', '', '', false) + ask('GET /text')],
      request: [ask('GET /text')],
    }
    for (const [event, pieces] of Object.entries(asking)) {
      const exchange = await both(() => expressApplication(express), {}, seeing[event])
      const [bare, shaped] = await exchange(...pieces)
      expect(bare, event).toMatch(/"url"[^]*\],\[\],\[[^]*"protocol"/)
      expect(shaped, event).toBe(bare)
    }
  })

  test.each([
    ['http.server.request.start', /"\/assigned"$/],
    // Node 20 does not publish it.
    ['http.server.response.created', /"\/(assigned)?"$/],
  ])('a subscriber of %s may assign them too', async (name, expected) => {
    const onMessage = (message: unknown): void => {
      Object.assign((message as { request: object }).request, { path: '/assigned' })
    }
    subscribe(name, onMessage)
    onTestFinished(() => void unsubscribe(name, onMessage))
    const exchange = await both(() => express().use((req, res) => void res.json(req.path)))
    const [bare, shaped] = await exchange(ask('GET /'))
    expect(bare).toMatch(expected)
    expect(shaped).toBe(bare)
  })

  test.each(['res', 'next', 'baseUrl', 'originalUrl', '_parsedUrl', 'route', 'params', 'query'])(
    'an accessor that an application has for %s is met where express meets it',
    async (field) => {
      const make = (): Express => {
        const app = express()
        app.get('/', (req, res) => {
          const value: unknown = Reflect.get(req, field)
          res.json([Object.hasOwn(req, field), value === 'got' || typeof value, assigned])
        })
        const assigned: string[] = []
        Object.defineProperty(app.request, field, {
          get: () => 'got',
          set: (value: unknown) => assigned.push(typeof value),
          configurable: true,
        })
        return app
      }
      const exchange = await both(make)
      const [bare, shaped] = await exchange(ask('GET /?a=b'))
      expect(bare).toMatch(/200 OK[^]*\[(true|false),/)
      expect(shaped).toBe(bare)
    },
  )

  test('a setHeader of the application is called as often', async () => {
    const make = (): Express => {
      const app = express()
      const names: string[] = []
      Object.assign(app.response, {
        setHeader(this: ServerResponse, name: string, value: string) {
          names.push(name)
          return ServerResponse.prototype.setHeader.call(this, name, value)
        },
      })
      return app.use((_req, res) => void res.set('x-own', 'yes').json(names))
    }
    const [bare, shaped] = await (await both(make))(ask('GET /'))
    expect(bare).toMatch(/\["x-own"/)
    expect(shaped).toBe(bare)
  })

  test('a request that is cut off tells the same', async () => {
    const seen: string[][] = []
    for (const withHelper of [false, true]) {
      const told: string[] = []
      const app = express()
      const server = createServer(withHelper ? expressServerOptions(app) : {}, app)
      const over = once(server, 'over')
      app.post('/', (req, res) => {
        const note = (what: string) => (error?: Error) => {
          told.push(`${what} ${error?.message ?? ''} ${String(req.complete)} ${String(res.writableEnded)}`)
        }
        req
          .on('aborted', note('aborted'))
          .on('error', note('error'))
          .on('close', note('close of the request'))
        res.on('close', () => {
          note('close of the reply')()
          setImmediate(() => server.emit('over'))
        })
        req.resume()
        setTimeout(() => req.socket.destroy(), 10)
      })
      const port = await listen(server)
      await raw(port, 'POST / HTTP/1.1\r\nHost: order\r\nContent-Length: 9\r\n\r\nhalf').catch(() => '')
      await over
      seen.push(told)
    }
    expect(seen[0]).toHaveLength(4)
    expect(seen[1]).toEqual(seen[0])
  })
})

import { once } from 'node:events'
import {
  createServer,
  IncomingMessage,
  ServerResponse,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import { createServer as createTlsServer, get } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import express5, { type Express } from 'express'
import { createKit, isWaybillError } from '@waybill/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { certificateFor } from '../../test/certificate.js'
import { expresses } from '../../test/express-application.js'
import { listen, raw, send } from '../../test/loopback.js'
import { waybillListener } from '../node-http/index.js'
import { expressServerOptions, type ExpressServerOptions } from './index.js'

const kit = createKit({ service: 'order', environment: 'test' })

/** From Node 24 on the helper has nothing to give. */
const shapes = Number.parseInt(process.versions.node, 10) < 24

const serve = (app: Express, listener: RequestListener = app): Promise<number> =>
  listen(createServer(expressServerOptions(app), listener))

/** Shows what a server emits before any listener gets it. */
function watched(server: Server, see: (req: IncomingMessage, res: ServerResponse) => void): Server {
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...args: unknown[]) => {
    if (event === 'request') see(...(args as [IncomingMessage, ServerResponse]))
    return emit(event, ...args)
  }
  return server
}

/** What a message has, in the order in which it got it. Symbols of node's own are left out, it adds some later. */
const fieldsOf = (message: object): PropertyKey[] =>
  Reflect.ownKeys(message).filter((key) => typeof key === 'string' || !/^k[A-Z]/.test(key.description ?? ''))

describe.each(expresses)('%s', (_name, express) => {
  test('express adds nothing to a request or a reply, which are born with the prototypes of the app', async () => {
    const app = express()
    let before: readonly PropertyKey[][] = []
    let inHandler: readonly PropertyKey[][] = []
    const prototypes: boolean[] = []
    app.use((_req, _res, next) => {
      next()
    })
    app.get('/:id', (req, res) => {
      inHandler = [fieldsOf(req), fieldsOf(res)]
      prototypes.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response)
      res.end()
    })
    const server = watched(createServer(expressServerOptions(app), app), (req, res) => {
      before = [fieldsOf(req), fieldsOf(res)]
      prototypes.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response)
    })
    expect((await send(await listen(server), { path: '/7?a=b' })).status).toBe(200)
    expect(prototypes).toEqual([shapes, shapes, true, true])
    const added = inHandler.map((fields, index) => fields.filter((key) => !before[index]?.includes(key)))
    if (shapes) expect(inHandler).toEqual(before)
    else expect(added).toEqual([expect.arrayContaining(['res', 'next', 'params']), ['locals']])
  })

  test('what express declares is undefined until express says it, and a body is no part of it', async () => {
    const app = express()
    let told: unknown
    const port = await serve(app, (req, res) => {
      const fields = ['res', 'next', 'baseUrl', 'originalUrl', '_parsedUrl', 'route', 'params']
      const absent = [
        'body',
        'user',
        'session',
        'cookies',
        'file',
        'files',
        'rawBody',
        'signedCookies',
        '_body',
      ]
      const value = (field: string): unknown => (req as unknown as Record<string, unknown>)[field]
      told = { declared: fields.map(value), absent: absent.filter((field) => field in req) }
      expect(Object.hasOwn(req, 'route')).toBe(shapes)
      res.end()
    })
    await send(port, { method: 'POST' }, 'body')
    expect(told).toEqual({ declared: Array<undefined>(7).fill(undefined), absent: [] })
  })

  test('stack traces and the inspector show the names of node:http', async () => {
    const app = express()
    const { IncomingMessage: Req, ServerResponse: Res } = expressServerOptions(app)
    expect([Req?.name, Res?.name]).toEqual(
      shapes ? ['IncomingMessage', 'ServerResponse'] : [undefined, undefined],
    )
    let stack: string | undefined
    const port = await serve(app, (req, res) => {
      expect(req).toBeInstanceOf(IncomingMessage)
      expect(res).toBeInstanceOf(ServerResponse)
      res.on('own', () => {
        stack = new Error('here').stack
      })
      res.emit('own')
      res.end()
    })
    await send(port)
    expect(stack).toContain('at ServerResponse.emit')
  })

  test('an app on another server, an app that was called and not mounted: express gives them their prototypes', async () => {
    const app = express()
    const other = express()
    other.get('/', (req, res) => {
      res.json([req.app === other, Object.getPrototypeOf(req) === other.request, req.baseUrl, req.query])
    })
    app.use('/called', (req, res, next) => {
      other(req, res, next)
    })
    expect((await send(await serve(app), { path: '/called?a=b' })).text).toBe(
      '[true,true,"/called",{"a":"b"}]',
    )
    expect((await send(await serve(app, other), { path: '/?a=b' })).text).toBe('[true,true,"",{"a":"b"}]')
  })
})

interface Served {
  readonly app: Express
  readonly server: Server
}
const around =
  ({ app }: Served): RequestListener =>
  (req, res) => {
    app(req, res)
  }

test.each<readonly [string, boolean, (served: Served) => void]>([
  ['the app', true, ({ app, server }) => server.on('request', app)],
  ['the app, once', true, ({ app, server }) => server.once('request', app)],
  [
    'the app, and others after it',
    true,
    ({ app, server }) => server.on('request', app).on('request', () => {}),
  ],
  ['a listener of the kit', true, ({ app, server }) => server.on('request', waybillListener(kit, app))],
  [
    'two of them',
    true,
    ({ app, server }) => server.on('request', waybillListener(kit, waybillListener(kit, app))),
  ],
  ['a listener around the app', false, (served) => served.server.on('request', around(served))],
  [
    'the kit around such a one',
    false,
    (served) => served.server.on('request', waybillListener(kit, around(served))),
  ],
  [
    'another before it',
    false,
    ({ app, server }) => server.on('request', app).prependListener('request', () => {}),
  ],
  ['another app', false, ({ server }) => server.on('request', express5())],
  ...['upgrade', 'connect', 'checkContinue', 'checkExpectation', 'dropRequest'].map(
    (event) =>
      [
        `the app, and a listener of ${event}`,
        false,
        ({ app, server }: Served) => server.on('request', app).on(event, () => {}),
      ] as const,
  ),
  [
    'the app, a listener of upgrade gone',
    true,
    ({ app, server }) => server.on('request', app).on('upgrade', around).off('upgrade', around),
  ],
])('who gets a request first: %s. Born with the prototypes of the app: %s', async (_title, shaped, add) => {
  const app = express5()
  const born: boolean[] = []
  const server = watched(createServer(expressServerOptions(app)), (req, res) => {
    born.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response)
    if (!shaped) {
      expect(Object.getPrototypeOf(req)).toBe(IncomingMessage.prototype)
      expect(Object.getPrototypeOf(res)).toBe(ServerResponse.prototype)
    }
  })
  add({ app, server })
  expect((await send(await listen(server))).status).toBe(404)
  expect(born).toEqual(shapes ? [shaped, shaped] : [false, false])
})

test('the same app has the same constructors, in an object that is the caller’s', () => {
  const app = express5()
  const options = expressServerOptions(app)
  expect(expressServerOptions(app)).toEqual(options)
  Object.assign(options, { insecureHTTPParser: true })
  expect(Object.keys(expressServerOptions(app))).toEqual(shapes ? ['IncomingMessage', 'ServerResponse'] : [])
  const own = Object.getOwnPropertyDescriptor(express5.request, 'emit')
  expect(own === undefined ? undefined : [own.enumerable, own.configurable, own.writable]).toEqual(
    shapes ? [false, true, true] : undefined,
  )
  expect(Object.hasOwn(app.request, 'emit')).toBe(false)
})

test('two copies of the package bind emit once', async () => {
  const app = express5()
  expressServerOptions(app)
  const before = Object.getOwnPropertyDescriptor(express5.request, 'emit')
  vi.resetModules()
  const second = (await import('./index.js')) as { expressServerOptions: typeof expressServerOptions }
  expect(second.expressServerOptions).not.toBe(expressServerOptions)
  const options = second.expressServerOptions(app)
  expect(Object.getOwnPropertyDescriptor(express5.request, 'emit')).toEqual(before)
  const port = await listen(
    createServer(
      options,
      app.get('/', (_req, res) => void res.send('second')),
    ),
  )
  expect((await send(port)).text).toBe('second')
})

test('where it does not help or is not allowed, there are no options', () => {
  // As of an app that was changed to serve HTTP/2.
  const bridged = express5()
  Object.setPrototypeOf(bridged.request, Object.prototype)
  expect(expressServerOptions(bridged)).toEqual({})

  const { node } = process.versions
  onTestFinished(() => {
    Object.defineProperty(process.versions, 'node', { value: node, enumerable: true })
  })
  for (const [version, keys] of [
    ['20.19.0', 2],
    ['22.1.0', 2],
    ['24.0.0', 0],
    ['26.3.1', 0],
  ] as const) {
    Object.defineProperty(process.versions, 'node', { value: version, enumerable: true, configurable: true })
    expect(Object.keys(expressServerOptions(express5()))).toHaveLength(keys)
  }
})

test.each<readonly [string, unknown, RegExp]>([
  ['nothing', undefined, /got undefined/],
  ['null', null, /got null/],
  ['a text', 'app', /got "app"/],
  ['a number', 7, /got 7/],
  ['a plain listener', function onRequest() {}, /got the function onRequest/],
  ['a nameless one', (() => () => {})(), /got a function/],
  ['express itself', express5, /got express itself, which was not called/],
  ['a router', express5.Router(), /got an app or a router of another kind/],
  ['a server', createServer(), /got an object made by Server/],
  ['options', {}, /got an object made by Object/],
  ['an object of no prototype', Object.create(null), /got an object/],
  ['a promise of an app', Promise.resolve(express5()), /got an object made by Promise/],
])('handed something that is no express app, it says what it got: %s', (_title, value, expected) => {
  let thrown: unknown
  try {
    expressServerOptions(value as Express)
  } catch (error) {
    thrown = error
  }
  if (!isWaybillError(thrown)) throw new Error('no error of the kit', { cause: thrown })
  expect(thrown.code).toBe('ERR_WAYBILL_CONFIGURATION')
  expect(thrown.message).toMatch(expected)
  expect(thrown.facts['option']).toBe('app')
})

test('other options stand beside it, over TLS too', async () => {
  const tls = certificateFor('DNS:localhost')
  const app = express5()
  app.get('/:id', (req, res) => {
    res.json([req.secure, req.protocol, req.params, req.app === app])
  })
  const server = createTlsServer({ ...tls, ...expressServerOptions(app) }, app)
  const port = await listen(server)
  const options = { port, path: '/7', host: '127.0.0.1', servername: 'localhost', ca: tls.cert, agent: false }
  const [reply] = (await once(get(options), 'response')) as [IncomingMessage]
  expect(await textOf(reply)).toBe('[true,"https",{"id":"7"},true]')

  const small = await listen(createServer({ maxHeaderSize: 1000, ...expressServerOptions(app) }, app))
  expect(await raw(small, `GET /7 HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(2000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 431/,
  )
})

test('app.listen makes a server of its own, without it', async () => {
  const app = express5()
  expressServerOptions(app)
  let own: boolean | undefined
  const server: Server = app.listen(0, '127.0.0.1')
  server.prependListener('request', (req: IncomingMessage) => {
    own = Object.hasOwn(req, 'route')
  })
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  await send((server.address() as { port: number }).port)
  expect(own).toBe(false)
})

test('the options are ones for the types of node:http and node:https, and an app of express is one for ours', () => {
  const app: Express = express5()
  const options: ExpressServerOptions = expressServerOptions(app)
  const asNodes: ServerOptions = options
  expect(createServer(asNodes, app)).toBeDefined()
  expect(createTlsServer({ ...options }, app)).toBeDefined()
  // @ts-expect-error a listener is no app
  expect(() => expressServerOptions((_req: IncomingMessage, _res: ServerResponse) => {})).toThrow('function')
})

import { Agent, createServer } from 'node:http'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import express5, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { bindShardKey, bindWaybill, createKit, currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import { describe, expect, test } from 'vitest'
import { aliceAlone } from '../../test/alice-alone.js'
import { listen, send } from '../../test/loopback.js'
import { nestedRouters } from '../../test/nested-routers.js'
import { headersTo } from '../../test/outgoing.js'
import { expressWaybill } from './index.js'

const require = createRequire(import.meta.url)
// Neither has types of its own; what is used of the alias is the same in both versions.
const express4 = require('express4') as typeof express5
const multer = require('multer') as (options?: { dest?: string }) => { single(name: string): RequestHandler }
const standaloneRouter = createRequire(require.resolve('express'))('router') as () => express5.Router

const kit = createKit({ service: 'order', environment: 'test' })
const ME = { clk: 'me' }
const JSON_OF_ME = { ...ME, 'content-type': 'application/json' }
const clkHere = (): string => tryCurrentWaybill()?.clk ?? 'none'
const tell: RequestHandler = (_req, res) => {
  res.send(clkHere())
}

const serve = (app: Express): Promise<number> => listen(createServer(app))

function multipart(bytes: number): { headers: Record<string, string>; body: string } {
  const file = 'Content-Disposition: form-data; name="file"; filename="f.txt"\r\nContent-Type: text/plain'
  return {
    headers: { ...ME, 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\n${file}\r\n\r\n${'x'.repeat(bytes)}\r\n--b--\r\n`,
  }
}

/** Reads the body by events, as upload parsers of before AsyncLocalStorage do. */
const readByEvents: RequestHandler = (req, _res, next) => {
  req.on('data', () => {}).on('end', next)
}

const fromNowhere = bindWaybill((callback: () => void) => {
  callback()
})
/** A parser that calls back from outside of every scope. */
const losesScope: RequestHandler = (req, _res, next) => {
  req.resume().on('end', () => {
    fromNowhere(next)
  })
}

describe.each([
  ['express 5', express5],
  ['express 4', express4],
])('%s', (_name, express) => {
  test('context expressjs/express#4396 the handler sees the waybill, of a GET and of a POST with a body', async () => {
    const app = express().use(expressWaybill(kit), express.json()).all('/', tell)
    const port = await serve(app)
    expect((await send(port, { headers: ME })).text).toBe('me')
    for (const body of ['', '{"a":"b c"}']) {
      expect((await send(port, { method: 'POST', headers: JSON_OF_ME }, body)).text).toBe('me')
    }
  })

  test.each([0, 10, 60_000])(
    'context expressjs/body-parser#422 behind each body parser, %d bytes',
    async (bytes) => {
      const parsers = {
        'application/json': [express.json({ limit: '1mb' }), JSON.stringify({ a: 'x'.repeat(bytes) })],
        'application/x-www-form-urlencoded': [
          express.urlencoded({ extended: true, limit: '1mb' }),
          `a=${'x'.repeat(bytes)}`,
        ],
        'text/plain': [express.text({ limit: '1mb' }), 'x'.repeat(bytes)],
        'application/octet-stream': [express.raw({ limit: '1mb' }), 'x'.repeat(bytes)],
      } as const
      for (const [type, [parser, body]] of Object.entries(parsers)) {
        const port = await serve(express().use(expressWaybill(kit), parser).post('/', tell))
        const headers = { ...ME, 'content-type': type }
        for (const sent of [body, [body.slice(0, 5), body.slice(5)]]) {
          expect((await send(port, { method: 'POST', headers }, sent)).text, type).toBe('me')
        }
      }
    },
  )

  test('context expressjs/multer#1111, #814, PR#1124 behind an upload of 80 kB', async () => {
    const app = express().use(expressWaybill(kit)).post('/', multer().single('file'), tell)
    const port = await serve(app)
    const { headers, body } = multipart(80_000)
    expect((await send(port, { method: 'POST', headers }, body)).text).toBe('me')
    const pieces = [body.slice(0, 40_000), body.slice(40_000, 80_000), body.slice(80_000)]
    expect((await send(port, { method: 'POST', headers }, pieces)).text).toBe('me')
  })

  test('context expressjs/multer#1111 behind a parser that reads by events', async () => {
    const port = await serve(express().use(expressWaybill(kit), readByEvents).post('/', tell))
    expect((await send(port, { method: 'POST', headers: ME }, ['one', 'two'])).text).toBe('me')
  })

  test('mounted again behind a parser that loses the scope it finds it again; the request is adopted once', async () => {
    const events = recordEvents(['adopted'])
    const app = express()
    app.use(expressWaybill(kit), (_req, _res, next) => {
      bindShardKey('u1')
      next()
    })
    app.post('/lost', losesScope, tell)
    app.post('/found', losesScope, expressWaybill(kit), (_req, res) => {
      res.send(`${clkHere()} ${String(currentWaybill().shardKey)}`)
    })
    const port = await serve(app)
    expect((await send(port, { method: 'POST', path: '/lost', headers: ME }, 'body')).text).toBe('none')
    expect((await send(port, { method: 'POST', path: '/found', headers: ME }, 'body')).text).toBe('me u1')
    events.stop()
    expect(events.of('adopted')).toHaveLength(2)
  })

  test('context open-telemetry/opentelemetry-js-contrib#3527 one waybill in middleware, nested stand-alone Router and handler', async () => {
    const { app, seen } = nestedRouters(express, standaloneRouter, expressWaybill(kit))
    const port = await serve(app)
    const reply = await send(
      port,
      { method: 'POST', path: '/outer/inner/item', headers: JSON_OF_ME },
      '{"a":1}',
    )
    expect(reply.text).toBe('1')
    expect(seen).toHaveLength(4)
    expect(seen[0]).toMatchObject({ clk: 'me' })
  })

  test('sub-apps, routers with merged parameters, param callbacks and route chains', async () => {
    const router = express.Router({ mergeParams: true })
    router.param('item', (_req, _res, next) => {
      setImmediate(next)
    })
    router.use(expressWaybill(kit))
    router
      .route('/items/:item')
      .all((_req, _res, next) => {
        void Promise.resolve().then(() => {
          next()
        })
      })
      .get((req: Request<{ order: string; item: string }>, res) => {
        res.send(`${clkHere()} ${req.params.order} ${req.params.item} ${req.baseUrl}`)
      })
    const sub = express().use('/orders/:order', router)
    const port = await serve(express().use(expressWaybill(kit)).use('/api', sub))
    const { text } = await send(port, { path: '/api/orders/7/items/9', headers: ME })
    expect(text).toBe('me 7 9 /api/orders/7')
  })

  test('error handlers, sync and async, of handlers and of parsers', async () => {
    const app = express().use(expressWaybill(kit), express.json())
    app.all('/throws', () => {
      throw new Error('thrown')
    })
    app.all('/later', (_req, _res, next) => {
      setTimeout(() => {
        next(new Error('later'))
      }, 5)
    })
    app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
      setTimeout(() => res.status(500).send(`${error.name} ${clkHere()}`), 2)
    })
    const port = await serve(app)
    for (const path of ['/throws', '/later']) {
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', '{}'],
      ] as const) {
        const { status, text } = await send(port, { method, path, headers: JSON_OF_ME }, body)
        expect({ status, text }).toEqual({ status: 500, text: 'Error me' })
      }
    }
    const refused = await send(port, { method: 'POST', headers: JSON_OF_ME }, '{bad')
    expect(refused.text).toBe('SyntaxError me')
  })

  test('the error pages of the framework itself', async () => {
    const app = express().set('env', 'test').use(expressWaybill(kit))
    app.get('/throws', () => {
      throw new Error('thrown')
    })
    const port = await serve(app)
    for (const [path, status] of [
      ['/throws', 500],
      ['/none', 404],
    ] as const) {
      const reply = await send(port, { path, headers: ME })
      expect(reply.status).toBe(status)
      expect(reply.headers['content-type']).toMatch(/html/)
      expect(reply.headers['cache-control']).toBe('private, no-store')
    }
  })

  test('replies of send, json, sendFile, redirect, streams and 304 of a tagged request are stored by no cache', async () => {
    const file = fileURLToPath(import.meta.url)
    const app = express().use(expressWaybill(kit))
    app.get('/send', (_req, res) => void res.set('Cache-Control', 'public, max-age=9').send('sent'))
    app.get('/json', (_req, res) => void res.json({ a: 1 }))
    app.get('/file', (_req, res) => {
      res.sendFile(file, { maxAge: '1d', immutable: true, dotfiles: 'allow' })
    })
    app.get('/redirect', (_req, res) => {
      res.redirect('/json')
    })
    app.get('/stream', (_req, res) => {
      Readable.from(['a', 'b']).pipe(res)
    })
    app.use('/static', express.static(fileURLToPath(new URL('.', import.meta.url)), { maxAge: '1d' }))
    const port = await serve(app)
    for (const path of ['/send', '/json', '/file', '/redirect', '/stream', '/static/index.ts', '/none']) {
      const tagged = await send(port, { path, headers: ME })
      expect(tagged.headers['cache-control'], path).toBe('private, no-store')
      const untagged = await send(port, { path })
      expect(untagged.status).toBe(tagged.status)
      expect(untagged.headers['cache-control'], path).not.toBe('private, no-store')
      const { etag } = tagged.headers
      if (etag !== undefined && tagged.status === 200) {
        const fresh = await send(port, { path, headers: { ...ME, 'if-none-match': etag } })
        expect(fresh.status, path).toBe(304)
        expect(fresh.headers['cache-control'], path).toBe('private, no-store')
      }
    }
  })

  test('routing-65 on one connection each request decides for itself', async () => {
    const order = await serve(
      express()
        .use(expressWaybill(kit))
        .all('/', (_req, res, next) => {
          headersTo(kit, 'http://inventory/').then(({ clk }) => void res.send(clk ?? 'none'), next)
        }),
    )
    const alice = await serve(express().use(expressWaybill(aliceAlone())).all('/', tell))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const nextHops = new Set<string>()
    const statuses = new Set<string>()
    for (let count = 0; count < 100; count++) {
      const tagged = count % 2 === 0
      const headers = { baggage: 'waybill-depth=1', ...(tagged ? { clk: 'alice' } : {}) }
      const method = count % 3 === 0 ? 'POST' : 'GET'
      const body = method === 'POST' ? 'body' : undefined
      nextHops.add(`${String(tagged)} ${(await send(order, { agent, headers, method }, body)).text}`)
      statuses.add(
        `${String(tagged)} ${String((await send(alice, { agent, headers, method }, body)).status)}`,
      )
    }
    agent.destroy()
    expect([...nextHops]).toEqual(['true alice', 'false none'])
    expect([...statuses]).toEqual(['true 200', 'false 421'])
  })
})

test('the middleware is one for the types of express, wherever they take one', () => {
  const middleware: RequestHandler = expressWaybill(kit, { inbound: 'edge', bindRequest: 'always' })
  const app: Express = express5()
  app.use('/api', expressWaybill(kit))
  app.post('/upload', multer().single('file'), expressWaybill(kit), tell)
  express5.Router().use(middleware)
  expect(middleware).toHaveLength(3)
})

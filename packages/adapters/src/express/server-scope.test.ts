import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type express5 from 'express'
import type { Express, RequestHandler } from 'express'
import {
  bindShardKey,
  bindWaybill,
  createKit,
  currentWaybill,
  runWithWaybill,
  tryCurrentWaybill,
} from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import { describe, expect, test } from 'vitest'
import { expresses } from '../../test/express-application.js'
import { listen, raw, send } from '../../test/loopback.js'
import { waybillListener, waybillUpgradeListener } from '../node-http/index.js'
import { expressServerOptions, expressWaybill, type ExpressWaybillOptions } from './index.js'

const kit = createKit({ service: 'order', environment: 'test' })
const clkHere = (): string => tryCurrentWaybill()?.clk ?? 'none'
const ME = { clk: 'me' }

/** From Node 24 on the helper has nothing to give, and `emit` is shadowed as without it. */
const shapes = Number.parseInt(process.versions.node, 10) < 24

const serve = (app: Express, listener: RequestListener = app): Promise<number> =>
  listen(createServer(expressServerOptions(app), listener))

/** What the events of a body see, as older upload parsers listen to them. */
const readAndTell: RequestHandler = (req, res) => {
  const seen = new Set<string>()
  req.on('data', () => seen.add(clkHere()))
  req.on('end', () => {
    seen.add(clkHere())
    res.send([...seen].join())
  })
}

const fromNowhere = bindWaybill((callback: () => void) => {
  callback()
})

describe.each(expresses)('%s, served with expressServerOptions', (_name, express) => {
  const other = expresses.find(([, candidate]) => candidate !== express)?.[1] as typeof express5

  const forms: Record<string, (options?: ExpressWaybillOptions) => readonly [Express, RequestListener]> = {
    'the middleware': (options) => {
      const app = express()
      app.use(expressWaybill(kit, options))
      return [app, app]
    },
    'the listener': (options) => {
      const app = express()
      return [app, waybillListener(kit, app, options)]
    },
  }

  describe.each(Object.entries(forms))('%s', (_form, open) => {
    test.each([
      ['body', 'me', 'me', false],
      ['always', 'me', 'me', true],
      ['never', 'none', 'none', false],
    ] as const)('bindRequest: %s', async (bindRequest, whole, inPieces, ofBodyless) => {
      const [app, listener] = open({ bindRequest })
      const shadowed: boolean[] = []
      app.post('/', (req, res, next) => {
        shadowed.push(Object.hasOwn(req, 'emit'))
        readAndTell(req, res, next)
      })
      app.get('/', (req, res) => {
        shadowed.push(Object.hasOwn(req, 'emit'))
        fromNowhere(() => {
          req.on('own', () => res.send(clkHere()))
          req.emit('own')
        })
      })
      const port = await serve(app, listener)
      expect((await send(port, { method: 'POST', headers: ME }, 'body')).text).toMatch(whole)
      expect((await send(port, { method: 'POST', headers: ME }, ['a', 'body'])).text).toMatch(inPieces)
      expect((await send(port, { headers: ME })).text).toBe(ofBodyless ? 'me' : 'none')
      const bound = bindRequest !== 'never'
      expect(shadowed).toEqual(shapes ? [false, false, false] : [bound, bound, ofBodyless])
    })

    test('in a mounted app and in a mounted app of that', async () => {
      const [app, listener] = open()
      app.use('/sub', express().use('/inner', express().post('/', readAndTell)))
      const port = await serve(app, listener)
      const { text } = await send(port, { method: 'POST', path: '/sub/inner', headers: ME }, ['a', 'body'])
      expect(text).toBe('me')
    })

    test('in an app that is called and not mounted, as vhost does', async () => {
      const [app, listener] = open()
      const called = express().post('/', readAndTell)
      app.use((req, res, next) => {
        called(req, res, next)
      })
      const port = await serve(app, listener)
      expect((await send(port, { method: 'POST', headers: ME }, ['a', 'body'])).text).toBe('me')
    })

    test('in such an app of another copy of express, where the middleware is met again', async () => {
      const events = recordEvents(['adopted'])
      const [app, listener] = open()
      const called = other().use(expressWaybill(kit)).post('/', readAndTell)
      app.use((req, res, next) => {
        called(req, res, next)
      })
      const port = await serve(app, listener)
      expect((await send(port, { method: 'POST', headers: ME }, ['a', 'body'])).text).toBe('me')
      events.stop()
      expect(events.of('adopted')).toHaveLength(1)
    })

    test('met again after the scope was lost: one adoption, with the key of before', async () => {
      const events = recordEvents(['adopted'])
      const [app, listener] = open()
      app.use((_req, _res, next) => {
        bindShardKey('u1')
        fromNowhere(next)
      })
      app.post('/', expressWaybill(kit), (_req, res) => {
        res.send(`${clkHere()} ${String(currentWaybill().shardKey)}`)
      })
      const port = await serve(app, listener)
      expect((await send(port, { method: 'POST', headers: ME }, 'body')).text).toBe('me u1')
      events.stop()
      expect(events.of('adopted')).toHaveLength(1)
    })

    test('what the application chose with with() holds in events that it emits', async () => {
      const [app, listener] = open({ bindRequest: 'always' })
      app.get('/', (req, res) => {
        runWithWaybill(currentWaybill().with({ clk: 'you' }), () => {
          req.on('mine', () => res.send(clkHere()))
          req.emit('mine')
        })
      })
      expect((await send(await serve(app, listener), { headers: ME })).text).toBe('you')
    })

    test('requests on one connection each have their own', async () => {
      const [app, listener] = open()
      app.post('/', readAndTell)
      const post = (headers: string): string =>
        `POST / HTTP/1.1\r\nHost: order\r\n${headers}Content-Length: 4\r\n\r\nbody`
      const text = await raw(
        await serve(app, listener),
        post('clk: alice\r\n'),
        post(''),
        post('clk: bob\r\n') + post('Connection: close\r\n'),
      )
      expect(
        text.match(/^(alice|bob|none)(?=HTTP)|\n(alice|bob|none)(?=HTTP|$)/g)?.map((clk) => clk.trim()),
      ).toEqual(['alice', 'none', 'bob', 'none'])
    })
  })

  test('an application that has an emit of its own keeps it, and the scope', async () => {
    const app = express()
    const emitted: unknown[] = []
    Object.assign(app.request, {
      emit(this: IncomingMessage, event: string, ...args: unknown[]): boolean {
        emitted.push(event)
        return (Object.getPrototypeOf(app.request) as IncomingMessage).emit.call(this, event, ...args)
      },
    })
    app.use(expressWaybill(kit)).post('/', readAndTell)
    const port = await serve(app)
    expect((await send(port, { method: 'POST', headers: ME }, ['a', 'body'])).text).toBe('me')
    expect(emitted).toContain('end')
  })

  test('an upgrade is adopted like any request', async () => {
    const app = express()
    const server: Server = createServer(expressServerOptions(app), app)
    server.on(
      'upgrade',
      waybillUpgradeListener(kit, (_req: IncomingMessage, socket) => {
        socket.end(
          `HTTP/1.1 101 Switching Protocols\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\n${clkHere()}`,
        )
      }),
    )
    const text = await raw(
      await listen(server),
      'GET / HTTP/1.1\r\nHost: order\r\nclk: me\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n',
    )
    expect(text).toMatch(/\r\n\r\nme$/)
  })
})

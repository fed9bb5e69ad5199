import { createServer, IncomingMessage, Server, ServerResponse, type RequestListener } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { createKit, tryCurrentWaybill, type Kit, type KitOptions } from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { aliceAlone } from '../../test/alice-alone.js'
import { certificateFor } from '../../test/certificate.js'
import { listen, raw, send } from '../../test/loopback.js'
import { expressWaybill } from '../express/index.js'
import { waybillListener, waybillUpgradeListener } from '../node-http/index.js'
import { adoptOnServers } from './server-seam.js'

const events = recordEvents(['adopted'])
afterEach(() => {
  events.clear()
})

const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', ...options })

/** Opens the seam for one test, by this kit. */
function open(kit: Kit = kitOf()): Kit {
  onTestFinished(adoptOnServers(() => kit))
  return kit
}

const clk = (): string => tryCurrentWaybill()?.clk ?? 'none'
/** Answers when the body has come: events of a request lose its scope where nobody binds them. */
const tell: RequestListener = (req, res) => void req.resume().on('end', () => res.end(clk()))
const ALICE = { headers: { clk: 'alice' } }
const inbounds = (): string[] => events.of('adopted').map(({ inbound }) => inbound)

describe('every way in', () => {
  test('a request of a server that was made before and after', async () => {
    const before = createServer(tell)
    open()
    for (const server of [before, createServer(tell)]) {
      const port = await listen(server)
      expect(await send(port, ALICE)).toMatchObject({ text: 'alice', status: 200 })
      expect(await send(port, { ...ALICE, method: 'POST' }, 'a body')).toMatchObject({
        text: 'alice',
        headers: { 'cache-control': 'private, no-store' },
      })
    }
    expect(events.all).toHaveLength(4)
  })

  test('checkContinue and checkExpectation, once where they go on as a request', async () => {
    open()
    const server = createServer(tell)
    server.on('checkContinue', (req, res) => {
      res.writeContinue()
      server.emit('request', req, res)
    })
    server.on('checkExpectation', tell)
    const port = await listen(server)
    for (const expected of ['100-continue', 'tea']) {
      const headers = { clk: 'alice', expect: expected }
      expect((await send(port, { method: 'POST', headers }, 'a body')).text).toBe('alice')
    }
    expect(events.all).toHaveLength(2)
  })

  test('an upgrade, refused where it may not come in', async () => {
    open(aliceAlone(false))
    const server = createServer()
    server.on('upgrade', (_req, socket: Socket) => socket.end(`HTTP/1.1 101 Go\r\n\r\n${clk()}`))
    const port = await listen(server)
    const upgrade = (tag: string): Promise<string> =>
      raw(port, `GET / HTTP/1.1\r\nHost: a\r\nclk: ${tag}\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n`)
    expect(await upgrade('alice')).toMatch(/alice$/)
    expect(await upgrade('bob')).toMatch(/^HTTP\/1\.1 421 .*\r\nwaybill-refused: ERR_WAYBILL_MISDIRECTED/)
  })

  test('a tunnel over HTTP/1 and HTTP/2', async () => {
    open()
    const server = createServer()
    server.on('connect', (_req, socket: Socket) => socket.end(`HTTP/1.1 200 Go\r\n\r\n${clk()}`))
    const tunnel = 'CONNECT inventory:80 HTTP/1.1\r\nHost: a\r\nclk: alice\r\n'
    const port = await listen(server)
    expect(await raw(port, `${tunnel}\r\n`)).toMatch(/alice$/)
    expect(await raw(port, `${tunnel}Via: 1.1 far\r\n\r\n`)).toMatch(/none$/)
    const onHttp2Server = http2.createServer()
    onHttp2Server.on('connect', onHttp2)
    // The compatible API opens with the first listener for it.
    onHttp2Server.on('request', onHttp2)
    const session = http2.connect(`http://127.0.0.1:${await listen(onHttp2Server)}`)
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'inventory:80', clk: 'alice' })
    expect(await text(stream)).toBe('alice')
    session.close()
  })

  test('what an application emits itself: a request without a connection is a stranger’s, what is none is handed on', () => {
    open()
    const seen: unknown[] = []
    const server = createServer((req: unknown) => void seen.push([req, clk()]))
    const made = new IncomingMessage(null as never)
    made.headers['clk'] = 'alice'
    for (const given of [
      [made, new ServerResponse(made)],
      [],
      [{}, {}],
      [{ headers: null }],
      [{ headers: {} }],
    ]) {
      expect(server.emit('request', ...given)).toBe(true)
    }
    expect(server.emit('upgrade')).toBe(false)
    expect(seen).toEqual(
      [made, undefined, {}, { headers: null }, { headers: {} }].map((req) => [req, 'none']),
    )
    expect(inbounds()).toEqual(['peer'])
  })

  test('https, http2 with and without TLS, and HTTP/1 on an http2 server', async () => {
    open()
    const certificate = certificateFor('IP:127.0.0.1')
    const tls = { ...certificate, ca: certificate.cert, rejectUnauthorized: true }
    expect(await overHttps(await listen(https.createServer(certificate, tell)), tls)).toBe('alice')
    expect(await overHttp2(`http://127.0.0.1:${await listen(http2.createServer(onHttp2))}`)).toBe('alice')
    const both = await listen(http2.createSecureServer({ ...certificate, allowHTTP1: true }, onHttp2))
    expect(await overHttp2(`https://127.0.0.1:${both}`, tls)).toBe('alice')
    expect(await overHttps(both, tls)).toBe('alice')
    expect(events.all).toHaveLength(4)
  })

  const onHttp2 = (_req: http2.Http2ServerRequest, res: http2.Http2ServerResponse): void =>
    void res.end(clk())

  async function overHttps(port: number, tls: https.RequestOptions): Promise<string> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      https.get({ host: '127.0.0.1', port, ...tls, ...ALICE, agent: false }, resolve).on('error', reject)
    })
    return text(response)
  }

  async function overHttp2(origin: string, tls: http2.SecureClientSessionOptions = {}): Promise<string> {
    const session = http2.connect(origin, tls)
    const told = await text(session.request({ ':path': '/', clk: 'alice' }))
    session.close()
    return told
  }
})

describe('beside a listener of the application', () => {
  async function answers(listener: RequestListener): Promise<readonly unknown[]> {
    const port = await listen(createServer(listener))
    const all = [await send(port, ALICE), await send(port, { ...ALICE, method: 'POST' }, 'a body')]
    return all.map(({ text, headers }) => [
      text,
      headers['cache-control'],
      headers.vary,
      headers['waybill-route'],
    ])
  }
  const twice = <T>(one: T): T[] => [one, one]

  test('one that says nothing else finds its request adopted', async () => {
    const kit = open()
    const app = express().use(expressWaybill(kit)).use(tell)
    expect(await answers(waybillListener(kit, app))).toEqual(
      twice(['alice', 'private, no-store', undefined, undefined]),
    )
    expect(inbounds()).toEqual(['peer', 'peer'])
  })

  test('one that believes nobody takes the request over, reply headers and all', async () => {
    const kit = open()
    const untagged = [['none', undefined, undefined, undefined]]
    const inside = express().use(expressWaybill(kit)).use(tell)
    expect(await answers(waybillListener(kit, inside, { inbound: 'public' }))).toEqual(twice(untagged[0]))
    expect(inbounds()).toEqual(['peer', 'public', 'peer', 'public'])
  })

  test('so does an edge, deep in an app and behind one that has read the body', async () => {
    const kit = open()
    const app = express()
      .use(express.text({ type: () => true }))
      .use(expressWaybill(kit, { inbound: 'edge' }), (_req, res) => void res.end(clk()))
    expect(await answers(app)).toEqual(twice(['alice', 'private, no-store', 'clk', undefined]))
    expect(inbounds()).toEqual(['peer', 'edge', 'peer', 'edge'])
  })

  test('so does one of another kit, which believes other peers', async () => {
    open()
    const other = kitOf({ trust: { peers: ['192.0.2.1'] } })
    expect(await answers(waybillListener(other, tell))).toEqual(
      twice(['none', undefined, undefined, undefined]),
    )
    expect(other.counters.adopted).toBe(2)
  })

  test('one that binds the events of every request does so', async () => {
    const kit = open()
    const seen: string[] = []
    const listener = waybillListener(
      kit,
      (req, res) => {
        req.on('close', () => seen.push(clk()))
        res.end()
      },
      { bindRequest: 'always' },
    )
    await send(await listen(createServer(listener)), ALICE)
    expect(seen).toEqual(['alice'])
  })

  test('a listener of upgrades takes over, too', async () => {
    const kit = open()
    const server = createServer()
    const listener = (_req: IncomingMessage, socket: Socket): unknown =>
      socket.end(`HTTP/1.1 101 Go\r\n\r\n${clk()}`)
    server.on('upgrade', waybillUpgradeListener(kit, listener, { inbound: 'public' }))
    const head = 'GET / HTTP/1.1\r\nHost: a\r\nclk: alice\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'
    expect(await raw(await listen(server), head)).toMatch(/none$/)
  })
})

test('the kit of the moment decides', async () => {
  let kit: Kit | undefined = kitOf()
  onTestFinished(adoptOnServers(() => kit))
  const port = await listen(createServer(tell))
  expect((await send(port, ALICE)).text).toBe('alice')
  kit = kitOf({ trust: { inbound: 'public' } })
  expect((await send(port, ALICE)).text).toBe('none')
  kit = undefined
  expect((await send(port, ALICE)).text).toBe('none')
  expect(inbounds()).toEqual(['peer', 'public'])
})

test('a patch of emit that was there before stays within, and one that comes later around it', async () => {
  const order: string[] = []
  const own = Object.getOwnPropertyDescriptor(Server.prototype, 'emit')
  const patch = (name: string): void => {
    const { emit } = Server.prototype as { emit: (...args: unknown[]) => boolean }
    Server.prototype.emit = function (this: Server, ...args: unknown[]): boolean {
      if (args[0] === 'request') order.push(`${name} ${clk()}`)
      return emit.apply(this, args)
    } as never
  }
  patch('before')
  const kit = kitOf()
  const undo = adoptOnServers(() => kit)
  patch('later')
  onTestFinished(() => {
    if (own === undefined) Reflect.deleteProperty(Server.prototype, 'emit')
    else Object.defineProperty(Server.prototype, 'emit', own)
  })
  const port = await listen(createServer(tell))
  expect((await send(port, ALICE)).text).toBe('alice')
  expect(order).toEqual(['later none', 'before alice'])
  undo()
  expect(Object.hasOwn(https.Server.prototype, 'emit')).toBe(false)
})

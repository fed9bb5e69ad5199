import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import { text as textOf } from 'node:stream/consumers'
import express from 'express'
import { bindWaybill, createKit, currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { aliceAlone } from '../../test/alice-alone.js'
import { listen, raw, send } from '../../test/loopback.js'
import { expressWaybill } from '../express/index.js'
import { waybillListener } from './index.js'

const kit = createKit({ service: 'order', environment: 'test' })

const tellClk: RequestListener = (_req, res) => {
  res.end(tryCurrentWaybill()?.clk ?? 'none')
}

test('context nodejs/node#41978 requests of one keep-alive connection each have their own waybill', async () => {
  const port = await listen(createServer(waybillListener(kit, tellClk)))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const seen: string[] = []
  for (const clk of ['me', undefined, 'you', undefined]) {
    seen.push((await send(port, { agent, headers: clk === undefined ? {} : { clk } })).text)
  }
  agent.destroy()
  expect(seen).toEqual(['me', 'none', 'you', 'none'])
})

test('pipelined requests each have their own waybill, with bodies among them', async () => {
  const port = await listen(
    createServer(
      waybillListener(kit, (req: IncomingMessage, res) => {
        req.resume().on('end', () => {
          res.end(`${tryCurrentWaybill()?.clk ?? 'none'};`)
        })
      }),
    ),
  )
  const answer = await raw(
    port,
    'GET / HTTP/1.1\r\nHost: order\r\nclk: a\r\n\r\n' +
      'POST / HTTP/1.1\r\nHost: order\r\nclk: b\r\nContent-Length: 3\r\n\r\nabc' +
      'POST / HTTP/1.1\r\nHost: order\r\nContent-Length: 3\r\n\r\nabc' +
      'GET / HTTP/1.1\r\nHost: order\r\nclk: c\r\nConnection: close\r\n\r\n',
  )
  expect(answer.match(/\w+;/g)).toEqual(['a;', 'b;', 'none;', 'c;'])
})

test('a server whose listen ran inside a scope gives that scope to no request', async () => {
  const server = createServer(waybillListener(kit, tellClk))
  const port = await withWaybill({ clk: 'starter' }, () => listen(server))
  expect((await send(port)).text).toBe('none')
  expect((await send(port, { headers: { clk: 'me' } })).text).toBe('me')
})

test('an express app behind the listener adopts once, with its own middleware mounted too', async () => {
  const app = express()
  app.use(expressWaybill(kit))
  app.use(express.json(), (_req, res) => {
    res.send(currentWaybill().clk)
  })
  const port = await listen(createServer(waybillListener(kit, app)))
  const before = kit.counters.adopted
  const json = { clk: 'me', 'content-type': 'application/json' }
  expect((await send(port, { headers: json })).text).toBe('me')
  expect((await send(port, { method: 'POST', headers: json }, '{}')).text).toBe('me')
  expect(kit.counters.adopted).toBe(before + 2)
})

test('context nodejs/node#62290 finish and close of the reply keep the waybill; close after an abort has none unless bound', async () => {
  const seen: string[] = []
  const note =
    (event: string): (() => void) =>
    () =>
      seen.push(`${event} ${tryCurrentWaybill()?.clk ?? 'none'}`)
  let closed: () => void = () => {}
  const server = createServer(
    waybillListener(kit, (req: IncomingMessage, res) => {
      res
        .on('finish', note('finish'))
        .on('close', note('close'))
        .on('close', bindWaybill(note('bound')))
      res.on('close', () => {
        closed()
      })
      if (req.url === '/abort') res.write('some')
      else res.end('all')
    }),
  )
  const port = await listen(server)
  const closing = (): Promise<void> => new Promise((resolve) => (closed = resolve))
  let over = closing()
  await send(port, { headers: { clk: 'me' } })
  await over
  expect(seen.splice(0)).toEqual(['finish me', 'close me', 'bound me'])

  over = closing()
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: '/abort',
    headers: { clk: 'me' },
    agent: false,
  })
  request.on('error', () => {}).end()
  await once(request, 'response')
  request.destroy()
  await over
  expect(seen).toEqual(['close none', 'bound me'])
})

test('a body behind Expect: 100-continue is read in the scope, and trailers arrive both ways', async () => {
  const port = await listen(
    createServer(
      waybillListener(kit, (req: IncomingMessage, res) => {
        let read = ''
        req.on('data', (piece: Buffer) => (read += piece.toString()))
        req.on('end', () => {
          res.writeHead(200, { Trailer: 'x-sum' })
          res.write(`${tryCurrentWaybill()?.clk ?? 'none'} ${read} ${String(req.trailers['x-in'])}`)
          res.addTrailers({ 'x-sum': '1' })
          res.end()
        })
      }),
    ),
  )
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'POST',
    agent: false,
    headers: { clk: 'me', expect: '100-continue', 'transfer-encoding': 'chunked', trailer: 'x-in' },
  })
  request.flushHeaders()
  await once(request, 'continue')
  request.addTrailers({ 'x-in': '2' })
  request.end('body')
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  expect(await textOf(reply)).toBe('me body 2')
  expect(reply.trailers).toEqual({ 'x-sum': '1' })
})

test('HEAD and streamed answers keep their form', async () => {
  const port = await listen(
    createServer(
      waybillListener(kit, (_req, res) => {
        res.setHeader('x-length', '9')
        setTimeout(() => res.write(`${tryCurrentWaybill()?.clk ?? 'none'},`), 5)
        setTimeout(() => res.end(tryCurrentWaybill()?.clk), 10)
      }),
    ),
  )
  expect(await send(port, { headers: { clk: 'me' } })).toMatchObject({ status: 200, text: 'me,me' })
  const head = await send(port, { method: 'HEAD', headers: { clk: 'me' } })
  expect(head).toMatchObject({ status: 200, text: '' })
  expect(head.headers).toMatchObject({ 'x-length': '9', 'cache-control': 'private, no-store' })
})

test('a refused request is answered with its code and leaves the connection usable, whatever body it brought', async () => {
  let handled = 0
  const port = await listen(
    createServer(
      waybillListener(aliceAlone(), (_req, res) => {
        handled++
        res.end('handled')
      }),
    ),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const body of [undefined, 'short', 'x'.repeat(300_000)]) {
    const refused = await send(port, { agent, method: 'POST', headers: { clk: 'bob' } }, body)
    expect(refused.status).toBe(421)
    expect(refused.headers).toMatchObject({
      'waybill-refused': 'ERR_WAYBILL_MISDIRECTED',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'private, no-store',
    })
    expect(refused.text).toMatch(/^ERR_WAYBILL_MISDIRECTED: /)
    const served = await send(port, { agent, headers: { clk: 'alice' } })
    expect(served).toMatchObject({ status: 200, text: 'handled' })
    expect(served.localPort).toBe(refused.localPort)
  }
  agent.destroy()
  expect(handled).toBe(3)
  const head = await send(port, { method: 'HEAD', headers: { baggage: 'waybill-depth=1' } })
  expect(head).toMatchObject({ status: 421, text: '' })
  expect(head.headers['cache-control']).toBe('no-store')
})

test('a refusal while the sender waits for 100 Continue ends the connection', async () => {
  const server = createServer()
  server.on('checkContinue', waybillListener(aliceAlone(), tellClk))
  const port = await listen(server)
  const answer = await raw(
    port,
    'POST / HTTP/1.1\r\nHost: order\r\nclk: bob\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 421 /)
})

test('HTTP/2 through its compatible API: scope, body without a length, reply headers, refusal', async () => {
  const h2 = createHttp2Server(
    waybillListener(aliceAlone(), (req: Http2ServerRequest, res: Http2ServerResponse) => {
      let read = ''
      req.on('data', (piece: Buffer) => (read += piece.toString()))
      req.on('end', () => {
        res.writeHead(200, { 'Cache-Control': 'public', 'x-read': read })
        res.end(tryCurrentWaybill()?.clk ?? 'none')
      })
    }),
  )
  const client = connectHttp2(`http://127.0.0.1:${String(await listen(h2))}`)
  const call = async (
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<{ text: string; [name: string]: unknown }> => {
    const stream = client.request({ ':path': '/', ...headers }, { endStream: body === undefined })
    if (body !== undefined) {
      stream.write(body)
      setTimeout(() => stream.end(), 20)
    }
    const [reply] = (await once(stream, 'response')) as [Record<string, unknown>]
    return { ...reply, text: await textOf(stream) }
  }
  expect(await call({ clk: 'alice' }, undefined)).toMatchObject({
    ':status': 200,
    'cache-control': 'private, no-store',
    text: 'alice',
  })
  expect(await call({ clk: 'alice', ':method': 'POST' }, 'body')).toMatchObject({
    'x-read': 'body',
    text: 'alice',
  })
  expect(await call({ clk: 'bob', ':method': 'POST' }, 'body')).toMatchObject({
    ':status': 421,
    'waybill-refused': 'ERR_WAYBILL_MISDIRECTED',
  })
  client.close()
})

test.each<[string, string]>([
  ['without a body', 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
  [
    'whose trailers have come',
    'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\ntrailer: t\r\n\r\n2\r\nok\r\n0\r\nt: 1\r\n\r\n',
  ],
])('a request %s is adopted once, though nothing is bound to it', async (_, text) => {
  let trailers: unknown
  const inner = waybillListener(kit, tellClk, { bindRequest: 'never' })
  const outer = waybillListener(
    kit,
    (req, res) => {
      void textOf(req).then(() => {
        trailers = req.trailers
        inner(req, res)
      })
    },
    { bindRequest: 'never' },
  )
  const port = await listen(createServer(outer))
  const { adopted } = kit.counters
  await raw(port, text)
  expect(kit.counters.adopted - adopted).toBe(1)
  expect(trailers).toEqual(text.includes('trailer') ? { t: '1' } : {})
})

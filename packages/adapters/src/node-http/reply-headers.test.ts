import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createKit } from '@waybill/core'
import type { Inbound, Interceptor, OutgoingCall } from '@waybill/core/adapter'
import { performCall } from '@waybill/core/adapter'
import { expect, test } from 'vitest'
import { listen, send, type Answer } from '../../test/loopback.js'
import { waybillListener } from './index.js'
import { addReplyHeaders } from './reply-headers.js'
import { RouteList } from './route-list.js'

const telling: Interceptor = (next) => (call) => {
  call.note({ service: 'inventory', served: 'alice', reason: 'TAG_EXACT', notes: [] })
  return next(call)
}
const kit = createKit({ service: 'order', environment: 'test', interceptors: [telling] })
const ALICE = { clk: 'alice' }

async function answer(
  handler: (req: IncomingMessage, res: ServerResponse) => unknown,
  options: {
    readonly inbound?: Inbound
    readonly headers?: Record<string, string>
    readonly kit?: typeof kit
  } = {},
): Promise<Answer> {
  const { inbound } = options
  const listener = waybillListener(
    options.kit ?? kit,
    (req, res) => void handler(req, res),
    inbound === undefined ? {} : { inbound },
  )
  return send(await listen(createServer(listener)), { headers: options.headers ?? ALICE })
}

/** A call of the handler's, which is noted. */
async function callInventory(): Promise<void> {
  const call: OutgoingCall = {
    kind: 'http',
    url: new URL('http://inventory/'),
    method: 'GET',
    headers: () => undefined,
    body: 'none',
    idempotent: true,
  }
  const reply = { status: 200, header: () => undefined, value: undefined, done: Promise.resolve() }
  await performCall(kit, call, async () => reply)
}

const frozen = Object.freeze({
  'cache-CONTROL': 'public',
  'x-own': '1',
  'Set-Cookie': Object.freeze(['a=1', 'b=2']),
})

const forms: Record<string, (res: ServerResponse) => unknown> = {
  'setHeader and end': (res) =>
    res
      .setHeader('Cache-Control', 'public')
      .setHeader('x-own', '1')
      .setHeader('Set-Cookie', ['a=1', 'b=2'])
      .end('ok'),
  'writeHead with a frozen object': (res) => res.writeHead(200, frozen as never).end('ok'),
  'writeHead with a reason': (res) => res.writeHead(200, 'Fine', frozen as never).end('ok'),
  'writeHead with a reason that is undefined': (res) =>
    res.writeHead(200, undefined, frozen as never).end('ok'),
  'writeHead with a flat array': (res) =>
    res
      .writeHead(200, ['Cache-Control', 'public', 'x-own', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
      .end('ok'),
  'writeHead with pairs': (res) =>
    res
      .writeHead(200, [
        ['Cache-Control', 'public'],
        ['x-own', '1'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ] as never)
      .end('ok'),
  'writeHead over what was set before': (res) =>
    res
      .setHeader('x-own', '0')
      .setHeader('cache-control', 'max-age=60')
      .writeHead(200, ['x-own', '1', 'Set-Cookie', ['a=1', 'b=2'] as never])
      .end('ok'),
  'flushHeaders and a pipe': (res) => {
    res.setHeader('Cache-Control', 'public').setHeader('x-own', '1').setHeader('Set-Cookie', ['a=1', 'b=2'])
    res.flushHeaders()
    Readable.from(['o', 'k']).pipe(res)
  },
  'early hints before': (res) => {
    res.writeEarlyHints({ link: '</a.css>; rel=preload' })
    res.writeHead(200, frozen as never).end('ok')
  },
  'writeHead wrapped by another library': (res) => {
    const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse
    res.writeHead = (...args: unknown[]) => {
      res.setHeader('Cache-Control', 'public')
      return writeHead(...args)
    }
    res.setHeader('x-own', '1').setHeader('Set-Cookie', ['a=1', 'b=2']).end('ok')
  },
}

test.each(Object.entries(forms))('a tagged reply is stored by no cache: %s', async (_form, reply) => {
  const { status, headers, text } = await answer((_req, res) => {
    reply(res)
  })
  expect({ status, text, own: headers['x-own'], cookies: headers['set-cookie'] }).toEqual({
    status: 200,
    text: 'ok',
    own: '1',
    cookies: ['a=1', 'b=2'],
  })
  expect(headers['cache-control']).toBe('private, no-store')
})

test.each([304, 204, 404, 500])('also with status %d', async (status) => {
  const reply = await answer((_req, res) => {
    res.writeHead(status, { 'Cache-Control': 'public', etag: '"1"' }).end()
  })
  expect(reply).toMatchObject({ status, headers: { 'cache-control': 'private, no-store', etag: '"1"' } })
})

test('the mistakes of an application stay its own', async () => {
  const codes: string[] = []
  await answer((_req, res) => {
    const mistakes = [
      () => res.writeHead(200, { 'x-bad': 'a\nb' }),
      () => res.writeHead(99),
      () => res.writeHead(200, { 'x-good': '1' }),
      () => res.writeHead(200),
      () => res.writeHead(200, { 'x-late': '1' }),
    ]
    for (const mistake of mistakes) {
      try {
        mistake()
      } catch (error) {
        const { code, message } = error as { code: string; message: string }
        codes.push(code, ...(code === 'ERR_HTTP_HEADERS_SENT' ? [message] : []))
      }
    }
    res.end()
  })
  expect(codes).toEqual([
    'ERR_INVALID_CHAR',
    'ERR_HTTP_INVALID_STATUS_CODE',
    'ERR_HTTP_HEADERS_SENT',
    'Cannot write headers after they are sent to the client',
    'ERR_HTTP_HEADERS_SENT',
    'Cannot write headers after they are sent to the client',
  ])
})

test('an ordinary untagged request gets no property and no header', async () => {
  let own: unknown
  const { headers } = await answer(
    (req: IncomingMessage, res) => {
      own = [Object.hasOwn(req, 'emit'), Object.hasOwn(res, 'writeHead')]
      res.setHeader('Cache-Control', 'public').end()
    },
    { headers: {} },
  )
  expect(own).toEqual([false, false])
  expect(headers).toMatchObject({ 'cache-control': 'public' })
  expect(Object.keys(headers).filter((name) => /waybill|vary/.test(name))).toEqual([])
})

test.each([
  [undefined, 'clk'],
  ['accept', 'accept, clk'],
  [['Accept', 'CLK'], 'Accept, CLK'],
  ['*', '*'],
])('an edge adds to Vary %j what it reads: %s', async (set, vary) => {
  for (const headers of [ALICE, {}] as Record<string, string>[]) {
    const reply = await answer(
      (_req, res) => {
        if (set !== undefined) res.setHeader('Vary', set)
        res.end()
      },
      { inbound: 'edge', headers },
    )
    expect(reply.headers.vary).toBe(vary)
  }
})

test('an edge names header and cookie that it reads, in production none', async () => {
  const trust = { edgeFrom: ['header:clk', 'cookie:tag', 'query:clk'] }
  const reply: RequestListener = (_req, res) => {
    res.writeHead(200, { vary: 'Cookie' }).end()
  }
  const test_ = createKit({ service: 'order', environment: 'test', trust })
  expect((await answer(reply, { inbound: 'edge', kit: test_ })).headers.vary).toBe('Cookie, clk')
  const production = createKit({
    service: 'order',
    environment: 'production',
    trust: { ...trust, inbound: 'edge' },
  })
  expect((await answer(reply, { kit: production })).headers).toMatchObject({ vary: 'Cookie' })
})

test('who served is told while the headers have not gone, and no longer than 32 entries', async () => {
  const { headers, text } = await answer(async (_req, res) => {
    for (let count = 0; count < 40; count++) await callInventory()
    res.writeHead(200, { 'x-own': '1' })
    await callInventory()
    res.end('ok')
  })
  expect(text).toBe('ok')
  const entries = String(headers['waybill-route']).split(', ')
  expect(new Set(entries)).toEqual(new Set(['inventory=alice;TAG_EXACT']))
  expect(entries).toHaveLength(32)
})

test('routing-104 two clk lines are told as a refused tag, never as 400', async () => {
  const { status, headers } = await answer(
    (_req, res) => {
      res.end()
    },
    { headers: { clk: 'alice, bob' } },
  )
  expect(status).toBe(200)
  expect(headers['waybill-route']).toBe('-=;INVALID_CLK')
  expect(headers['cache-control']).toBeUndefined()
})

test('a middleware that removes every header, as error handlers do, keeps ours', async () => {
  const { headers } = await answer(async (_req, res) => {
    await callInventory()
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    res.statusCode = 500
    res.end()
  })
  expect(headers).toMatchObject({
    'cache-control': 'private, no-store',
    'waybill-route': 'inventory=alice;TAG_EXACT',
  })
})

test('once the headers have gone the list of who served is given up', async () => {
  const route = new RouteList()
  const port = await listen(
    createServer((_req, res) => {
      addReplyHeaders(res, { tagged: false, vary: undefined, route })
      route.add('inventory=alice;TAG_EXACT')
      res.end()
      route.add('payment=@az-ci;BASELINE_ZONE')
    }),
  )
  expect((await send(port)).headers['waybill-route']).toBe('inventory=alice;TAG_EXACT')
  expect(route.text).toBeUndefined()
})

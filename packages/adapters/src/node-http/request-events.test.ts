import { Agent, createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import axios from 'axios'
import {
  bindShardKey,
  bindWaybill,
  createKit,
  currentWaybill,
  runWithWaybill,
  tryCurrentWaybill,
} from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { listen, raw, send } from '../../test/loopback.js'
import { waybillListener, type AdoptOptions } from './index.js'

const kit = createKit({ service: 'order', environment: 'test' })
const clkHere = (): string => tryCurrentWaybill()?.clk ?? 'none'

const serve = (listener: RequestListener, options?: AdoptOptions): Promise<number> =>
  listen(createServer(waybillListener(kit, listener, options)))

/** What the events of a body see, as older upload parsers listen to them. */
function read(req: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const seen = new Set<string>()
    req.on('data', () => seen.add(clkHere()))
    req.on('end', () => {
      seen.add(clkHere())
      resolve([...seen].join())
    })
  })
}

const readAndTell: RequestListener = (req, res) => {
  void read(req).then((seen) => res.end(seen))
}

const bodies: Record<string, { headers?: Record<string, string | number>; body?: string | string[] }> = {
  'no body': {},
  'an empty body': { headers: { 'content-length': 0 } },
  'an empty chunked body': { headers: { 'transfer-encoding': 'chunked' } },
  '10 bytes': { body: 'x'.repeat(10) },
  '60 kB': { body: 'x'.repeat(60_000) },
  'chunks that come apart': { body: ['one', 'two', 'three'] },
}

test.each(Object.entries(bodies))(
  'context nodejs/node#37207 events of a request run in its scope: %s',
  async (_title, { headers, body }) => {
    const port = await serve(readAndTell)
    for (const method of ['POST', 'PUT', 'GET', 'DELETE']) {
      // node's client frames the body of these by itself only where it is told how.
      const framed = body !== undefined && ['GET', 'DELETE'].includes(method)
      const framing = framed ? { 'transfer-encoding': 'chunked' } : {}
      const { text } = await send(port, { method, headers: { clk: 'me', ...framing, ...headers } }, body)
      expect(text, method).toBe('me')
    }
  },
)

test('bindRequest: never leaves the events where the parser runs, always binds those of bodyless requests too', async () => {
  let shadowed: boolean[] = []
  const handler: RequestListener = (req, res) => {
    shadowed.push(Object.hasOwn(req, 'emit'))
    readAndTell(req, res)
  }
  for (const [bindRequest, expected, seen] of [
    ['body', [false, true], 'me'],
    ['always', [true, true], 'me'],
    ['never', [false, false], 'lost'],
  ] as const) {
    const port = await serve(handler, { bindRequest })
    shadowed = []
    await send(port, { headers: { clk: 'me' } })
    const { text } = await send(port, { method: 'POST', headers: { clk: 'me' } }, ['a', 'body'])
    expect({ shadowed, text: text.includes('none') ? 'lost' : text }).toEqual({
      shadowed: expected,
      text: seen,
    })
  }
})

const readers: Record<string, (req: IncomingMessage) => Promise<unknown>> = {
  'for await': async (req) => {
    for await (const piece of req) void piece
  },
  'Readable.toWeb and a reader': async (req) => {
    const reader = Readable.toWeb(req).getReader()
    while (!(await reader.read()).done) void 0
  },
}
const MULTIPART =
  '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n' +
  'x'.repeat(80_000) +
  '\r\n--b--\r\n'

test.each(Object.entries(readers))(
  'context payloadcms/payload#17935 a body read by %s leaves the same waybill, JSON and multipart',
  async (_title, reader) => {
    const port = await serve((req, res) => {
      const before = currentWaybill()
      void reader(req).then(() => res.end(String(tryCurrentWaybill() === before && clkHere())))
    })
    for (const [type, body] of [
      ['application/json', '{"a":1}'],
      ['multipart/form-data; boundary=b', MULTIPART],
    ] as const) {
      const headers = { clk: 'me', 'content-type': type }
      expect((await send(port, { method: 'POST', headers }, body)).text).toBe('me')
    }
  },
)

test('context open-telemetry/opentelemetry-js#2971 listeners are added, counted and removed as without the kit', async () => {
  let counts: number[] = []
  let called = false
  const handler: RequestListener = (req, res) => {
    counts = ['end', 'data', 'error', 'close'].map((event) => req.listenerCount(event))
    const once = (): void => {
      called = true
    }
    req.once('end', once)
    req.removeListener('end', once)
    req.resume().on('end', () => res.end(String(req.listenerCount('end'))))
  }
  const bare = await listen(createServer(handler))
  const { text: bareText } = await send(bare, { method: 'POST' }, 'body')
  const bareCounts = counts
  const { text } = await send(await serve(handler), { method: 'POST', headers: { clk: 'me' } }, 'body')
  expect({ text, counts, called }).toEqual({ text: bareText, counts: bareCounts, called: false })
})

test('context DataDog/dd-trace-js PR#1260 removeAllListeners leaves none of ours, and a redirected POST still ends', async () => {
  const port = await serve((req, res) => {
    if (req.url === '/moved') {
      void textOf(req).then((body) => res.end(`${body} ${clkHere()}`))
      return
    }
    req.removeAllListeners()
    expect(req.eventNames()).toEqual([])
    req.on('error', () => {
      res.writeHead(307, { location: '/moved' }).end()
    })
    req.emit('error', new Error('one of the application'))
  })
  const { data } = await axios.post<string>(`http://127.0.0.1:${String(port)}/`, 'x'.repeat(60_000), {
    headers: { clk: 'me' },
  })
  expect(data).toBe(`${'x'.repeat(60_000)} me`)
})

test('context open-telemetry/opentelemetry-js-contrib#2479 requests over one socket add no listener to socket or server', async () => {
  const counts = new Set<string>()
  const warnings: string[] = []
  const onWarning = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', onWarning)
  const server = createServer(
    waybillListener(kit, (req, res) => {
      const all = (emitter: NodeJS.EventEmitter): number =>
        emitter.eventNames().reduce((sum, event) => sum + emitter.listenerCount(event), 0)
      counts.add(`${String(all(req.socket))} ${String(all(server))}`)
      readAndTell(req, res)
    }),
  )
  const port = await listen(server)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let count = 0; count < 22; count++) {
    await send(port, { agent, method: count % 2 === 0 ? 'POST' : 'GET', headers: { clk: 'me' } }, 'body')
  }
  agent.destroy()
  process.off('warning', onWarning)
  expect(counts.size).toBe(1)
  expect(warnings).toEqual([])
})

test('what the application chose with with() holds in events that it emits, and when the adapter is met again', async () => {
  const events = recordEvents(['adopted'])
  const seen: string[] = []
  const port = await serve((req, res) => {
    runWithWaybill(currentWaybill().with({ clk: 'you' }), () => {
      req.on('mine', () => seen.push(clkHere()))
      req.emit('mine')
      waybillListener(kit, () => {
        seen.push(clkHere())
        res.end()
      })(req, res)
    })
  })
  await send(port, { method: 'POST', headers: { clk: 'me' } }, 'body')
  await send(port, { headers: { clk: 'me' } })
  events.stop()
  expect(seen).toEqual(['you', 'you', 'you', 'you'])
  expect(events.of('adopted')).toHaveLength(2)
})

test('met again after the scope was lost: one adoption, with the key of before', async () => {
  const events = recordEvents(['adopted'])
  const fromNowhere = bindWaybill((callback: () => void) => {
    expect(tryCurrentWaybill()).toBeUndefined()
    callback()
  })
  const port = await serve((req, res) => {
    bindShardKey('u1')
    fromNowhere(() => {
      waybillListener(kit, () => {
        res.end(`${clkHere()} ${String(currentWaybill().shardKey)}`)
      })(req, res)
    })
  })
  const { text } = await send(port, { method: 'POST', headers: { clk: 'me' } }, 'body')
  events.stop()
  expect(text).toBe('me u1')
  expect(events.of('adopted')).toHaveLength(1)
})

test('an upload that is cut off ends in the scope of its request', async () => {
  const seen: string[] = []
  let over: () => void = () => {}
  const ended = new Promise<void>((resolve) => (over = resolve))
  const port = await serve((req) => {
    for (const event of ['aborted', 'error', 'close']) {
      req.on(event, () => {
        seen.push(`${event} ${clkHere()}`)
        if (event === 'close') over()
      })
    }
    req.resume()
    setTimeout(() => req.socket.destroy(), 20)
  })
  await raw(port, 'POST / HTTP/1.1\r\nHost: order\r\nclk: me\r\nContent-Length: 100\r\n\r\nhalf').catch(
    () => {},
  )
  await ended
  expect(seen).toEqual(['aborted me', 'error me', 'close me'])
})

test('pipelined requests: what a reply tells when it is sent, it tells in the scope of its own request', async () => {
  const seen: string[] = []
  const shadowed: boolean[] = []
  const over = { count: 0, all: (): void => {} }
  const ended = new Promise<void>((resolve) => (over.all = resolve))
  const port = await serve((req, res) => {
    const own = String(req.headers['clk'] ?? 'none')
    const tell = (what: string) => (): void => void seen.push(`${what} of ${own}: ${clkHere()}`)
    shadowed.push(Object.hasOwn(res, 'emit'))
    res.on('finish', tell('finish'))
    res.on('close', () => {
      tell('close')()
      if (++over.count === 3) over.all()
    })
    setTimeout(
      () => {
        res.write('x', tell('write'))
        res.end('y', tell('end'))
      },
      req.url === '/slow' ? 40 : 1,
    )
  })
  const get = (path: string, more: string): string => `GET ${path} HTTP/1.1\r\nHost: order\r\n${more}\r\n`
  await raw(
    port,
    get('/slow', 'clk: alice\r\n') + get('/', '') + get('/', 'clk: bob\r\nConnection: close\r\n'),
  )
  await ended
  expect(shadowed).toEqual([false, true, true])
  expect(seen.sort()).toEqual(
    ['close', 'end', 'finish', 'write'].flatMap((what) =>
      ['alice', 'bob', 'none'].map((own) => `${what} of ${own}: ${own}`),
    ),
  )
})

import { createServer, type RequestListener } from 'node:http'
import { context, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { W3CBaggagePropagator } from '@opentelemetry/core'
import { createKit, tryCurrentWaybill, type Kit, type KitOptions } from '@waybill/core'
import { adopt, carrierOf } from '@waybill/core/adapter'
import { afterEach, describe, expect, test } from 'vitest'
import { listen, raw, send } from '../../test/loopback.js'
import { express } from '../../test/otel/instrument-express.js'
import { instrument } from '../../test/otel/instrument.js'
import { startOtelSdk } from '../../test/otel/otel-sdk.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { expressWaybill } from '../express/index.js'
import { waybillListener } from '../node-http/index.js'
import { adoptOnServers } from '../register/server-seam.js'
import { otelWaybill } from './index.js'

// What `register` takes in beside OpenTelemetry, whose instrumentation of node:http stands around its seam or within it.

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', ...options })

const seen = (): string => {
  const waybill = tryCurrentWaybill()
  return `${waybill?.clk ?? 'none'} ${waybill?.shardKey ?? 'none'}`
}
const post = (clk: string) =>
  ({ method: 'POST', headers: { clk, 'x-shard-key': '42', 'content-type': 'application/json' } }) as const

const orders = {
  'the flag first': (kit: Kit) =>
    ends.push(
      adoptOnServers(() => kit),
      instrument(),
    ),
  'OpenTelemetry first': (kit: Kit) =>
    ends.push(
      instrument(),
      adoptOnServers(() => kit),
    ),
}

describe.each(Object.entries(orders))('%s', (_order, open) => {
  test.each([
    { name: 'believes nobody', inbound: 'public', right: 'none none', told: '' },
    { name: 'believes a tag alone', inbound: 'edge', right: 'mallory none', told: 'mallory' },
  ] as const)(
    'a listener that $name takes over what the seam has believed, for whatever listens and on the span',
    async ({ inbound, right, told }) => {
      const sdk = startOtelSdk(ends)
      const kit = kitOf()
      open(kit)
      const heard: string[] = []
      const app = express()
        .use(expressWaybill(kit, { inbound }))
        .use(express.json())
        .post('/', (_req, res) => {
          res.once('finish', () => heard.push(seen()))
          res.send(seen())
        })
      const port = await listen(createServer(app))
      expect((await send(port, post('mallory'), '{"a":1}')).text).toBe(right)
      expect(heard).toEqual([right])
      const spans = (): readonly unknown[] =>
        sdk.spans.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER)
      await expect.poll(spans).toHaveLength(1)
      const { attributes } = spans()[0] as { readonly attributes: Record<string, unknown> }
      expect(attributes).toMatchObject({ 'waybill.clk': told, 'waybill.shard_hash': '' })
    },
  )

  test('so does one of another kit', async () => {
    startOtelSdk(ends)
    open(kitOf())
    const other = kitOf({ trust: { peers: ['192.0.2.1'] } })
    const listener = waybillListener(other, (req, res) => void req.resume().on('end', () => res.end(seen())))
    expect((await send(await listen(createServer(listener)), post('mallory'), '{}')).text).toBe('none none')
  })
})

test('what is adopted in the course of a request is another, and changes nothing for its listeners', async () => {
  startOtelSdk(ends)
  const kit = kitOf()
  orders['the flag first'](kit)
  const listener: RequestListener = (req, res) => {
    const injected = carrierOf({ clk: 'bob' })
    const peer = { remoteAddress: '127.0.0.1' }
    const arrival = {
      kind: 'http',
      carrier: injected,
      inbound: 'peer',
      peer,
      method: 'GET',
      url: '/',
    } as const
    expect(adopt(kit, arrival).run(seen)).toBe('bob none')
    req.resume().on('end', () => res.end(seen()))
  }
  expect((await send(await listen(createServer(listener)), post('alice'), '{}')).text).toBe('alice 42')
})

describe('in a handler of a request that the seam has taken in', () => {
  /** Runs one function in the handler of Alice's request, the next in that of Bob's, and gives what they have returned. */
  async function inHandlers(...handlers: readonly (() => string)[]): Promise<string[]> {
    startOtelSdk(ends)
    const kit = kitOf()
    ends.push(adoptOnServers(() => kit))
    const left = [...handlers]
    const port = await listen(createServer((_req, res) => void res.end(left.shift()?.())))
    const answers: string[] = []
    for (const clk of ['alice', 'bob'].slice(0, handlers.length)) {
      answers.push((await send(port, { headers: { clk } })).text)
    }
    return answers
  }

  test('what OpenTelemetry binds belongs to that request, whoever calls it', async () => {
    let bound = (): string => 'unbound'
    const bind = (): string => {
      bound = context.bind(context.active(), seen)
      return bound()
    }
    expect(await inHandlers(bind, () => bound())).toEqual(['alice none', 'alice none'])
  })

  test('what is detached from it stays so where an instrumentation begins anew', async () => {
    const anew = (): string => context.with(ROOT_CONTEXT, seen)
    expect(await inHandlers(() => kitOf().detached(anew)())).toEqual(['none none'])
  })

  test('an instrumentation that begins anew hides it not', async () => {
    expect(await inHandlers(() => context.with(ROOT_CONTEXT, seen))).toEqual(['alice none'])
  })
})

describe('a plain propagator that is registered when the kit is there', () => {
  const stock = (): unknown => ends.push(otelWaybill().undo, registerSdk(new W3CBaggagePropagator()).end)
  const edge = (): Kit => kitOf({ trust: { inbound: 'edge' } })

  test('is not asked about by the first request of a kit that came later: it is served', async () => {
    let kit = kitOf()
    ends.push(adoptOnServers(() => kit))
    kit = edge()
    stock()
    const server = createServer((_req, res) => void res.end(seen()))
    server.on('upgrade', (_req, socket) => socket.end(`HTTP/1.1 101 Go\r\n\r\n${seen()}`))
    const port = await listen(server)
    expect((await send(port, { headers: { baggage: 'clk=mallory' } })).text).toBe('none none')
    const upgrade = 'GET / HTTP/1.1\r\nHost: a\r\nclk: alice\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'
    expect(await raw(port, upgrade)).toMatch(/alice none$/)
  })

  test('is refused where the seam is opened after it', () => {
    const kit = edge()
    stock()
    expect(() => adoptOnServers(() => kit)).toThrow(
      expect.objectContaining({ code: 'ERR_WAYBILL_FOREIGN_PROPAGATOR' }),
    )
  })
})

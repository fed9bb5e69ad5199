import { createServer, type IncomingMessage } from 'node:http'
import { createKit, currentWaybill, tryCurrentWaybill, type KitOptions } from '@waybill/core'
import type { Inbound } from '@waybill/core/adapter'
import { recordEvents } from '@waybill/core/testing'
import { afterEach, expect, test } from 'vitest'
import { listen, raw, send } from '../../test/loopback.js'
import { headersTo } from '../../test/outgoing.js'
import { waybillListener } from './index.js'

interface Seen {
  readonly clk: string | undefined
  readonly shardKey: string | undefined
  readonly hopCount: number
  /** What a call from the handler bears. */
  readonly sent: Record<string, string>
  /** What the handler finds in `req.headers`. */
  readonly headers: IncomingMessage['headers']
}

const events = recordEvents(['adopted', 'dropped'])
afterEach(() => {
  events.clear()
})

/** What the handler of a listener sees of a request, sent as it stands. */
async function arrive(
  lines: readonly string[],
  options: KitOptions = {},
  inbound?: Inbound,
  target = 'GET /',
): Promise<Seen> {
  const kit = createKit({ service: 'order', environment: 'test', ...options })
  let seen: Seen | undefined
  const listener = waybillListener(
    kit,
    (req, res) => {
      const { clk, shardKey, hopCount } = currentWaybill()
      void headersTo(kit, 'http://inventory/').then((sent) => {
        seen = { clk, shardKey, hopCount, sent, headers: req.headers }
        res.end()
      })
    },
    inbound === undefined ? {} : { inbound },
  )
  const port = await listen(createServer(listener))
  await raw(port, [`${target} HTTP/1.1`, 'Host: order', ...lines, 'Connection: close', '', ''].join('\r\n'))
  return seen!
}

const reasons = (): string[] => events.of('dropped').map(({ reason }) => reason)

test('S2-2 a module that serves HTTP adopts the tag, and its calls pass it on', async () => {
  const { clk, sent } = await arrive(['clk: alice'])
  expect(clk).toBe('alice')
  expect(sent).toEqual({ clk: 'alice', baggage: 'clk=alice,waybill-depth=1' })
})

test.each([
  ['D2-4', 'an empty header is untagged', 'clk:', undefined],
  ['D2-5', 'spaces around the value are trimmed', 'clk: \t alice \t ', 'alice'],
  ['D2-8', 'the value is in lower case from the edge on', 'clk: Alice', 'alice'],
])('%s %s', async (_id, _title, line, expected) => {
  for (const inbound of ['edge', 'peer'] as const) {
    const { clk, sent } = await arrive([line], {}, inbound)
    expect(clk).toBe(expected)
    expect(sent.clk).toBe(expected)
    expect(reasons()).toEqual([])
  }
})

test.each([
  ['D2-19', ['clk: alice', 'clk: bob']],
  ['context OBS-15', ['clk: me', 'clk: evil']],
  ['context OBS-15 joined', ['clk: me, evil']],
  ['routing-104', ['clk: alice', 'CLK: bob']],
])('%s a clk that comes twice makes the request untagged, and is reported', async (_id, lines) => {
  const { clk, sent } = await arrive(lines)
  expect(clk).toBeUndefined()
  expect(sent).toEqual({ baggage: 'waybill-depth=1' })
  expect(reasons()).toEqual(['AMBIGUOUS_CLK'])
})

test('D2-10 the scope is the request: nothing of it is left for the next, nor outside', async () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  const inside: (string | undefined)[] = []
  const listener = waybillListener(kit, (_req, res) => {
    inside.push(currentWaybill().clk)
    res.end()
  })
  const port = await listen(createServer(listener))
  await Promise.all(
    ['a', undefined, 'b'].map((clk) => send(port, { headers: clk === undefined ? {} : { clk } })),
  )
  expect(inside.sort()).toEqual(['a', 'b', undefined])
  expect(tryCurrentWaybill()).toBeUndefined()
})

const OUTSIDER = ['clk: mallory', 'x-shard-key: 7', 'x-hop-count: 1', 'baggage: %63lk=mallory,shard-key=7']

test.each([
  ['D2-17', 'public', OUTSIDER],
  ['context open-telemetry/opentelemetry-js PR#6901', 'public', ['baggage: clk=dev']],
  ['context open-telemetry/opentelemetry-js PR#6901', 'edge', ['baggage: clk=dev']],
  ['context DataDog/dd-trace-js PR#5860', 'public', OUTSIDER],
] as const)(
  '%s what a stranger brings to a listener that is %s is in no waybill and on no call',
  async (_id, inbound, lines) => {
    const { clk, shardKey, hopCount, sent, headers } = await arrive(lines, {}, inbound)
    expect({ clk, shardKey, hopCount }).toEqual({ clk: undefined, shardKey: undefined, hopCount: 0 })
    expect(sent).toEqual({ baggage: 'waybill-depth=1' })
    expect(headers.baggage).toBe(lines.at(-1)?.slice('baggage: '.length))
  },
)

test('context open-telemetry/opentelemetry-js PR#6901 a believed peer’s baggage counts', async () => {
  expect((await arrive(['baggage: clk=dev'])).clk).toBe('dev')
})

test('D2-17 in production no clk counts, whoever sends it, unless devRouting wakes it', async () => {
  const options = { environment: 'production', trust: { inbound: 'peer', peers: ['127.0.0.1'] } } as const
  expect((await arrive(['clk: alice'], options)).clk).toBeUndefined()
  expect(reasons()).toEqual(['PRODUCTION'])
  expect((await arrive(['clk: alice'], { ...options, devRouting: true })).clk).toBe('alice')
})

test('routing-42 the edge takes the tag from a cookie where it is told to', async () => {
  const trust = { edgeFrom: ['header', 'cookie:clk'] }
  expect((await arrive(['cookie: a=1; clk=alice; b=2'], { trust }, 'edge')).clk).toBe('alice')
  expect((await arrive(['cookie: xclk=alice'], { trust }, 'edge')).clk).toBeUndefined()
  expect((await arrive(['cookie: clk=alice'], {}, 'edge')).clk).toBeUndefined()
  expect(events.of('adopted').map(({ source }) => source)).toEqual(['cookie', 'none', 'none'])
})

test('the edge takes the tag from the query of a safe request', async () => {
  const trust = { edgeFrom: ['query:clk'] }
  expect((await arrive([], { trust }, 'edge', 'GET /stock?a=1&clk=alice')).clk).toBe('alice')
  expect(
    (await arrive(['Content-Length: 0'], { trust }, 'edge', 'POST /stock?clk=alice')).clk,
  ).toBeUndefined()
})

test.each([
  ['x-hop-count: 0, 9', 1],
  ['x-hop-count: -5', 1],
  ['x-hop-count: 1e9', 1],
  ['x-hop-count: 100', 1],
  ['x-hop-count:', 1],
  ['x-hop-count:  1', 1],
  ['x-hop-count: 12', 12],
])('D4-2 %j is read as %d, never as 0', async (line, hopCount) => {
  expect((await arrive([line])).hopCount).toBe(hopCount)
})

test('context open-telemetry/opentelemetry-js#3268 no path is left out: what a health check calls is tagged too', async () => {
  expect((await arrive(['clk: me'], {}, 'peer', 'GET /health')).sent.clk).toBe('me')
})

test('context vercel-labs/portless PR#52 twelve entries in X-Forwarded-For are no loop; depth 32 is', async () => {
  const forwarded = `x-forwarded-for: ${Array.from({ length: 12 }, (_, hop) => `10.0.0.${String(hop)}`).join(', ')}`
  expect((await arrive([forwarded, 'baggage: waybill-depth=1'])).sent.baggage).toBe('waybill-depth=2')

  const kit = createKit({ service: 'order', environment: 'test' })
  const listener = waybillListener(kit, (_req, res) => {
    headersTo(kit, 'http://inventory/').catch((error: { code: string; status: number }) => {
      res.writeHead(error.status).end(error.code)
    })
  })
  const port = await listen(createServer(listener))
  const answer = await send(port, { headers: { baggage: 'waybill-depth=32', 'x-forwarded-for': '10.0.0.1' } })
  expect(answer).toMatchObject({ status: 508, text: 'ERR_WAYBILL_LOOP' })
})

test('one process may have a public and an internal listener', async () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  const tell = (_req: unknown, res: { end(text: string): unknown }): unknown =>
    res.end(currentWaybill().clk ?? 'none')
  const outer = await listen(createServer(waybillListener(kit, tell, { inbound: 'public' })))
  const inner = await listen(createServer(waybillListener(kit, tell)))
  const headers = { clk: 'me' }
  expect((await send(outer, { headers })).text).toBe('none')
  expect((await send(inner, { headers })).text).toBe('me')
})

test('an option that is none of the documented words is refused at set-up', () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  expect(() => waybillListener(kit, () => {}, { inbound: 'private' as never })).toThrow(/inbound.*private/)
  expect(() => waybillListener(kit, () => {}, { bindRequest: true as never })).toThrow(/bindRequest.*true/)
})

import { context, ROOT_CONTEXT, SpanKind, trace, type TextMapPropagator } from '@opentelemetry/api'
import { RPCType, setRPCMetadata } from '@opentelemetry/core'
import { bindWaybill, createKit, currentWaybill, runWithWaybill, tryCurrentWaybill } from '@waybill/core'
import { adopt, carrierOf, runOutside, type Waybill } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { expectWritten } from '@waybill/conformance/table'
import { afterEach, describe, expect, test } from 'vitest'
import { registerSdk } from '../../test/otel/sdk.js'
import { otelWaybill } from './index.js'

type Seen = string | undefined

/** What a nesting is made of. */
interface Layers {
  /** In the scope of request A or B. */
  inA<T>(fn: () => T): T
  inB<T>(fn: () => T): T
  /** In the scope of request F or G, which a seam below the application has taken in. */
  inF<T>(fn: () => T): T
  inG<T>(fn: () => T): T
  /** In the same request, by a waybill with another tag. */
  tagged<T>(clk: string, fn: () => T): T
  /** In no scope, on purpose. */
  outside<T>(fn: () => T): T
  /** In a span. */
  span<T>(fn: () => T): T
  /** In OpenTelemetry's root context, where an instrumentation starts anew. */
  root<T>(fn: () => T): T
  /** In the context that an instrumentation of servers makes of a request. */
  server<T>(fn: () => T): T
  /** Registers the SDK here. */
  register(): void
  /** What code sees at this place, now and behind an await. */
  look(): Promise<readonly [Seen, Seen]>
}

interface Nesting {
  readonly name: string
  /** Whether the SDK is registered before, within (by `register`), or never. */
  readonly sdk: 'before' | 'late' | 'never'
  readonly right: Seen
  /** Only where it is not what is right. */
  readonly seen?: Seen
  build(layers: Layers): Promise<readonly [Seen, Seen]>
}

const nestings: readonly Nesting[] = [
  { name: 'A', sdk: 'before', right: 'a', build: ({ inA, look }) => inA(look) },
  { name: 'span in A', sdk: 'before', right: 'a', build: ({ inA, span, look }) => inA(() => span(look)) },
  { name: 'A in a span', sdk: 'before', right: 'a', build: ({ inA, span, look }) => span(() => inA(look)) },
  { name: 'B in A', sdk: 'before', right: 'b', build: ({ inA, inB, look }) => inA(() => inB(look)) },
  {
    name: 'A, behind B in it',
    sdk: 'before',
    right: 'a',
    build: ({ inA, inB, look }) => inA(() => inB(look).then(look)),
  },
  {
    name: 'root context in A',
    sdk: 'before',
    right: undefined,
    build: ({ inA, root, look }) => inA(() => root(look)),
  },
  {
    name: 'B in the root context in A',
    sdk: 'before',
    right: 'b',
    build: ({ inA, inB, root, look }) => inA(() => root(() => inB(look))),
  },
  {
    name: 'span in no scope in A',
    sdk: 'before',
    right: undefined,
    build: ({ inA, outside, span, look }) => inA(() => outside(() => span(look))),
  },
  {
    name: 'bound by the kit in A, called in B',
    sdk: 'before',
    right: 'a',
    build: ({ inA, inB, look }) => inB(inA(() => bindWaybill(look))),
  },
  {
    name: 'bound by OpenTelemetry in A, called in B',
    sdk: 'before',
    right: 'a',
    build: ({ inA, inB, look }) => inB(inA(() => context.bind(context.active(), look))),
  },
  {
    name: 'root context in F',
    sdk: 'before',
    right: 'f',
    build: ({ inF, root, look }) => inF(() => root(look)),
  },
  {
    name: 'root context in a waybill of F with the tag of B',
    sdk: 'before',
    right: 'b',
    build: ({ inF, tagged, root, look }) => inF(() => tagged('b', () => root(look))),
  },
  {
    name: 'root context in B in F',
    sdk: 'before',
    right: undefined,
    build: ({ inF, inB, root, look }) => inF(() => inB(() => root(look))),
  },
  {
    name: 'root context in no scope in F',
    sdk: 'before',
    right: undefined,
    build: ({ inF, outside, root, look }) => inF(() => outside(() => root(look))),
  },
  {
    name: 'bound by OpenTelemetry in F, called in G',
    sdk: 'before',
    right: 'f',
    build: ({ inF, inG, look }) => inG(inF(() => context.bind(context.active(), look))),
  },
  {
    name: 'bound by OpenTelemetry in F in a server span, called in G',
    sdk: 'before',
    right: 'f',
    build: ({ inF, inG, server, look }) => inG(server(() => inF(() => context.bind(context.active(), look)))),
  },
  {
    name: 'bound by OpenTelemetry in a server span in F, called in G',
    sdk: 'before',
    right: 'f',
    seen: 'g',
    build: ({ inF, inG, server, look }) => inG(inF(() => server(() => context.bind(context.active(), look)))),
  },
  {
    name: 'span in A',
    sdk: 'late',
    right: 'a',
    build: ({ inA, span, register, look }) => inA(() => (register(), span(look))),
  },
  {
    name: 'B in A',
    sdk: 'late',
    right: 'b',
    build: ({ inA, inB, register, look }) => inA(() => (register(), inB(look))),
  },
  {
    name: 'no scope in A',
    sdk: 'late',
    right: undefined,
    build: ({ inA, outside, register, look }) => inA(() => (register(), outside(look))),
  },
  {
    name: 'bound by the kit in no scope, called in A',
    sdk: 'late',
    right: undefined,
    build({ inA, register, look }) {
      const bound = bindWaybill(look)
      return inA(() => (register(), bound()))
    },
  },
  {
    name: 'root context in A',
    sdk: 'late',
    right: undefined,
    seen: 'a',
    build: ({ inA, root, register, look }) => inA(() => (register(), root(look))),
  },
  {
    name: 'bound in A, called in B in a span',
    sdk: 'never',
    right: 'a',
    build: ({ inA, inB, span, look }) => span(() => inB(inA(() => bindWaybill(look)))),
  },
]

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

const waybill = (clk: string): Waybill => withWaybill({ clk }, () => tryCurrentWaybill() as Waybill)
const look = async (): Promise<readonly [Seen, Seen]> => {
  const now = tryCurrentWaybill()?.clk
  await Promise.resolve()
  return [now, tryCurrentWaybill()?.clk]
}

function takenIn<T>(clk: string, fn: () => T): T {
  const kit = createKit({ service: 'order', environment: 'test' })
  return adopt(kit, {
    kind: 'http',
    carrier: carrierOf({ clk }),
    inbound: 'peer',
    peer: { remoteAddress: '127.0.0.1' },
    method: 'GET',
    url: '/',
    seam: { kit, inbound: 'peer' },
  }).run(fn)
}

function install(): void {
  ends.push(otelWaybill().undo)
}

/** Injects and extracts nothing. */
const silent: TextMapPropagator = { inject() {}, extract: (held) => held, fields: () => [] }

function register(): void {
  ends.push(registerSdk(silent).end)
}

/** What each nesting was seen to be, over all orders. */
const seenIn = new Map(nestings.map((nesting) => [nesting, new Set<Seen>()]))

/** In which order the two come, wherever the SDK comes. */
const orders = {
  'the store first': { before: install, with: register },
  'the SDK first': {
    before: () => {},
    with: () => {
      register()
      install()
    },
  },
} as const

describe.each(Object.entries(orders))('%s', (_order, order) => {
  const layers = {
    inA: <T>(fn: () => T) => runWithWaybill(a, fn),
    inB: <T>(fn: () => T) => runWithWaybill(b, fn),
    outside: <T>(fn: () => T) => runOutside('callback', fn),
    span: <T>(fn: () => T) => trace.getTracer('test').startActiveSpan('span', fn),
    inF: <T>(fn: () => T) => takenIn('f', fn),
    inG: <T>(fn: () => T) => takenIn('g', fn),
    tagged: <T>(clk: string, fn: () => T) => runWithWaybill(currentWaybill().with({ clk }), fn),
    root: <T>(fn: () => T) => context.with(ROOT_CONTEXT, fn),
    server: <T>(fn: () => T) => {
      const span = trace.getTracer('test').startSpan('server', { kind: SpanKind.SERVER }, ROOT_CONTEXT)
      const held = setRPCMetadata(trace.setSpan(ROOT_CONTEXT, span), { type: RPCType.HTTP, span })
      return context.with(held, fn)
    },
    register: order.with,
    look,
  }
  const [a, b] = [waybill('a'), waybill('b')]

  test.each(nestings)('$sdk: $name', async (nesting) => {
    const { sdk, right, build } = nesting
    order.before()
    if (sdk === 'before') order.with()
    if (sdk === 'never') install()
    const expected = 'seen' in nesting ? nesting.seen : right
    const seen = await build(layers)
    expect(seen).toEqual([expected, expected])
    expect(await look()).toEqual([undefined, undefined])
    for (const each of seen) seenIn.get(nesting)?.add(each)
  })
})

test('all but two are right, and the page says what was seen of each', async () => {
  const word = (seen: Seen): string => (seen === undefined ? 'none' : seen.toUpperCase())
  const rows = [...seenIn].map(([{ sdk, name, right }, seen]) => [
    sdk,
    name,
    word(right),
    [...seen].map(word).join(' or '),
  ])
  expect(rows).toHaveLength(nestings.length)
  expect(rows.filter(([, , right, seen]) => right !== seen)).toHaveLength(2)
  const head = ['SDK', 'nesting', 'right', 'seen']
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  await expectWritten('docs/opentelemetry.md', 'otel: nestings', lines.join('\n'))
})

test('a detached call has a request of its own, also in a span of another', async () => {
  install()
  register()
  const kit = createKit({ service: 'order', environment: 'test', clks: 'own' })
  const seen = runWithWaybill(waybill('a'), () =>
    kit.detached(() => trace.getTracer('test').startActiveSpan('s', look))(),
  )
  expect(await seen).toEqual(['own', 'own'])
})

test('undo gives the former store back, also where it was installed twice', async () => {
  install()
  install()
  register()
  for (const end of ends.splice(0)) end()
  expect(await runWithWaybill(waybill('a'), look)).toEqual(['a', 'a'])
})

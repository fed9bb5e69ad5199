import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectWritten } from '@waybill/conformance/table'
import { bundle, bundlers, type Bundler, type Bundles } from './bundlers.js'
import { BundlerTable } from './bundler-table.js'
import { Neighbours, type Arrived } from './neighbours.js'
import { RunningAlone, type Start } from './running-alone.js'

type ByClient = Readonly<Record<string, Arrived>>

interface Told {
  readonly atLoad: unknown
  readonly told: {
    readonly adopted: number
    readonly injected: number
    readonly lost: readonly { readonly kind: string; readonly place: string }[]
  }
  readonly counters: { readonly dropped: Readonly<Record<string, number>> }
}

interface Ordered {
  readonly tag?: string
  readonly stock: ByClient
  readonly stranger: ByClient
}

interface Traced extends Ordered {
  readonly spans: readonly { readonly name: string; readonly by: string; readonly clk?: string }[]
}

const out = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-bundles-')))
const neighbours = new Neighbours()
let env: Record<string, string>

beforeAll(async () => {
  const [baseline, alice, stranger] = [
    await neighbours.open('az-ci'),
    await neighbours.open('alice'),
    await neighbours.open('stranger'),
  ]
  const registry = join(out, 'registry.yaml')
  const stock = { service: 'stock', host: '127.0.0.1' }
  // JSON is YAML, too.
  writeFileSync(registry, JSON.stringify({ instances: [{ ...stock, port: baseline, zone: 'az-ci' }] }))
  writeFileSync(
    join(out, 'registry.developers.yaml'),
    JSON.stringify({ instances: [{ ...stock, port: alice, clks: 'alice', owner: 'alice' }] }),
  )
  env = {
    WAYBILL_SERVICE: 'shop',
    WAYBILL_ENVIRONMENT: 'test',
    WAYBILL_REGISTRY: `file:${registry}`,
    // A service that has to be told by its address, for who has no registry.
    STOCK: `http://127.0.0.1:${String(baseline)}/`,
    WAYBILL_OUTBOUND: `127.0.0.1:${String(baseline)}`,
    STRANGER: `http://localhost:${String(stranger)}/`,
  }
})
afterAll(() => {
  neighbours.close()
  rmSync(out, { recursive: true, force: true })
})

const BY_HAND = 'adapters by hand'
const OTEL = '`otelWaybill()` and an SDK'
const FLAG = '`--import …/register`'
const FIRST_LINE = "`import '…/register'` in the file"
const OWN_FILE = 'worker thread from the same file'
const FILE_BESIDE = "worker thread from `new URL('./worker.js', import.meta.url)`"
const table = new BundlerTable(
  bundlers.map(({ name }) => name),
  [BY_HAND, OTEL, FLAG, FIRST_LINE, OWN_FILE, FILE_BESIDE],
)

const NO_TRACING = { OTEL_SDK_DISABLED: 'true' }

const running: RunningAlone[] = []
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())))

/** The file in a folder that holds nothing else. */
function alone(file: string): string {
  const copy = join(mkdtempSync(join(out, 'alone-')), basename(file))
  copyFileSync(file, copy)
  return copy
}

/** Starts a file for one test. */
async function start(file: string, { env: more = {}, ...how }: Partial<Start> = {}): Promise<RunningAlone> {
  const one = await RunningAlone.start(file, { env: { ...env, ...more }, ...how })
  running.push(one)
  return one
}

/** What each of an application's clients has brought to a server. */
const brought = (clients: readonly string[], arrived: Arrived): ByClient =>
  Object.fromEntries(clients.map((client) => [client, arrived]))

const REGISTER = new URL('applications/node_modules/@waybill/adapters/dist/register.mjs', import.meta.url)
  .href

const EVERY = ['axios', 'fetch', 'http', 'undici']
const WRAPPED = ['axios', 'fetch', 'http']
const NOTHING: Arrived = { at: 'stranger', tag: null, key: null, baggage: [], traces: 0 }

const APPLICATIONS = ['by-hand', 'plain', 'registered', 'beside']
const making = new Map<Bundler, Promise<Bundles>>()
beforeAll(() => {
  // All at once: a machine has more than one core.
  for (const bundler of bundlers) {
    making.set(bundler, bundle(bundler, APPLICATIONS, mkdtempSync(join(out, 'bundles-'))))
  }
})

describe.each(bundlers)('$name', (bundler) => {
  const { name, workerBeside } = bundler
  let bundles: Bundles
  let shop: RunningAlone
  beforeAll(async () => {
    bundles = await making.get(bundler)!
    shop = await RunningAlone.start(alone(bundles.file('by-hand')), { env: { ...env, ...NO_TRACING } })
  })
  afterAll(() => shop.stop())

  test('the packages of the kit give a bundler nothing to warn of', () => {
    expect(bundles.warnings).toEqual([])
  })

  test('context open-telemetry/opentelemetry-js#4174, #2708, #3785, #2475; getsentry/sentry-javascript#10940 requests carry and reach their instances, strangers get nothing, each event has its count', async () => {
    const tags = Array.from({ length: 24 }, (_, index) => ['alice', undefined, 'bob', 'team.x'][index % 4])
    const orders = await Promise.all(
      tags.map((tag, index) => shop.ask<Ordered>('/orders', { tag, body: { user: `user-${index}` } })),
    )
    for (const [index, tag] of tags.entries()) {
      const clk = tag === undefined ? '' : `clk=${tag},`
      expect(orders[index]).toEqual({
        ...(tag === undefined ? {} : { tag }),
        stock: brought(WRAPPED, {
          at: tag === 'alice' ? 'alice' : 'az-ci',
          tag: tag ?? null,
          key: `user-${index}`,
          baggage: [`${clk}shard-key=user-${index},waybill-depth=1`],
          traces: 0,
        }),
        stranger: brought(WRAPPED, NOTHING),
      })
    }
    // What there is to count are these requests, and the question itself.
    const { told, counters } = await shop.ask<Told>('/told')
    expect(told).toEqual({ adopted: tags.length + 1, injected: 3 * tags.length, lost: [] })
    expect(counters).toMatchObject({ ...told, lost: 0, refused: 0, failed: 0, conflicts: 0 })
    expect(Object.values(counters.dropped).every((count) => count === 0)).toBe(true)
    expect(shop.stderr).toBe('')
    table.note(name, BY_HAND, true)
  })

  test('context honojs/hono#3944, cloudflare/workers-sdk#8227 a question at module load has a typed answer', async () => {
    const { atLoad } = await shop.ask<Told>('/told')
    expect(atLoad).toEqual({ code: 'ERR_WAYBILL_NO_SCOPE', name: 'WaybillError', known: true, asked: true })
  })

  test('a call that is lost is told with the line of the application, though the kit stands in the same file', async () => {
    const lost = await shop.ask<Told['told']['lost']>('/forgotten', { tag: 'alice' })
    expect(lost).toEqual([{ kind: 'http', place: expect.stringContaining('by-hand') }])
    expect(codeAt(lost[0]!.place)).toMatch(/^get\(/)
  })

  test('a worker thread from the same file has the waybill, and the routing of its parent', async () => {
    const labels = await Promise.all(
      ['alice', 'bob', undefined].map((tag, index) => shop.ask(`/labels/${index}`, { tag })),
    )
    expect(labels).toEqual([{ tag: 'alice', at: 'alice' }, { tag: 'bob', at: 'az-ci' }, { at: 'az-ci' }])
    table.note(name, OWN_FILE, true)
  })

  test('beside an SDK in the same file there is one store and one baggage', async () => {
    await expectTraced(await start(alone(bundles.file('by-hand'))))
    table.note(name, OTEL, true)
  })

  test('an application that knows nothing of the kit carries by the flag', async () => {
    const shop = await start(alone(bundles.file('plain')), { imported: REGISTER })
    expect(await ordersOfTwo(shop)).toEqual([carried('alice'), carried(undefined)])
    expect(shop.stderr).toBe('')
    table.note(name, FLAG, true)
  })

  test('the same where the file brings it along', async () => {
    const shop = await start(alone(bundles.file('registered')))
    const clients = ['fetch', 'http']
    expect(await ordersOfTwo(shop)).toEqual([carried('alice', clients), carried(undefined, clients)])
    table.note(name, FIRST_LINE, true)
  })

  test('the flag leaves adapters by hand what is theirs', async () => {
    const shop = await start(alone(bundles.file('by-hand')), { env: NO_TRACING, imported: REGISTER })
    const { stock, stranger } = await shop.ask<Ordered>('/orders', { tag: 'alice', body: {} })
    expect(stock).toEqual(
      brought(WRAPPED, {
        at: 'alice',
        tag: 'alice',
        key: null,
        baggage: ['clk=alice,waybill-depth=1'],
        traces: 0,
      }),
    )
    expect(stranger).toEqual(brought(WRAPPED, NOTHING))
    const { told } = await shop.ask<Told>('/told')
    expect(told).toMatchObject({ adopted: 2, injected: 3 })
  })

  test('a worker that is a module beside the file is bundled along, or fails as the table says', async () => {
    const answer = await (await start(bundles.file('beside'))).ask('/', { tag: 'alice' })
    expect(answer).toEqual(workerBeside === true ? 'label for alice' : { error: workerBeside.code })
    table.note(name, FILE_BESIDE, workerBeside === true || workerBeside.why)
  })
})

const bundlerOf = (start: string): Bundler => bundlers.find(({ name }) => name.startsWith(start))!

test('the flag names a file of its own where there is no node_modules', async () => {
  const esbuild = bundlerOf('esbuild, CommonJS')
  const flag = await bundle(esbuild, ['flag'], mkdtempSync(join(out, 'flag-')))
  const plain = (await making.get(esbuild)!).file('plain')
  const shop = await start(alone(plain), { imported: pathToFileURL(flag.file('flag')).href })
  expect(await ordersOfTwo(shop)).toEqual([carried('alice'), carried(undefined)])
})

test('an SDK in another file, with copies of the API and of the kit of its own, is the one of the application', async () => {
  const folder = mkdtempSync(join(out, 'sdk-'))
  const tracing = (await bundle(bundlerOf('esbuild, ES'), ['tracing'], folder)).file('tracing')
  const byHand = (await making.get(bundlerOf('esbuild, CommonJS'))!).file('by-hand')
  await expectTraced(await start(alone(byHand), { imported: pathToFileURL(tracing).href }))
})

describe('what the table says to do for a worker that is a module beside the file', () => {
  test('esbuild: the worker as an entry of its own', async () => {
    const folder = mkdtempSync(join(out, 'entries-'))
    const bundles = await bundle(bundlerOf('esbuild, ES'), ['beside', 'labels'], folder)
    const file = bundles.file('beside')
    copyFileSync(bundles.file('labels'), join(dirname(file), 'labels.mjs'))
    expect(await (await start(file)).ask('/', { tag: 'alice' })).toBe('label for alice')
  })

  test('ncc: --asset-builds', async () => {
    const ncc = { ...bundlerOf('ncc'), options: { assetBuilds: true } }
    const bundles = await bundle(ncc, ['beside'], mkdtempSync(join(out, 'assets-')))
    expect(await (await start(bundles.file('beside'))).ask('/', { tag: 'alice' })).toBe('label for alice')
  })
})

test('the table shows what was seen', async () => {
  await expectWritten('docs/opentelemetry.md', 'otel: bundlers', table.text())
})

/** Asks a shop with an SDK for an order of alice's. */
async function expectTraced(shop: RunningAlone): Promise<void> {
  const { tag, stock, stranger, spans } = await shop.ask<Traced>('/traced', { tag: 'alice' })
  expect(tag).toBe('alice')
  expect(stock).toEqual(
    brought(WRAPPED, {
      at: 'alice',
      tag: 'alice',
      key: null,
      baggage: ['clk=alice,waybill-depth=1,team=red'],
      traces: 1,
    }),
  )
  expect(stranger).toEqual(brought(WRAPPED, { ...NOTHING, baggage: ['team=red'], traces: 1 }))
  expect(spans).toContainEqual({ name: 'order', by: 'shop', clk: 'alice' })
  expect(spans).toContainEqual({ name: 'GET', by: '@opentelemetry/instrumentation-undici', clk: 'alice' })
  expect(shop.stderr).toBe('')
}

/** What a plain application answers to a request with a tag, and to one without. */
const ordersOfTwo = (shop: RunningAlone): Promise<Ordered[]> =>
  Promise.all(['alice', undefined].map((tag) => shop.ask<Ordered>('/orders', { tag, body: {} })))

/** What it has to answer: it carries, and chooses nobody. */
const carried = (tag: string | undefined, clients = EVERY): Ordered => ({
  stock: brought(clients, {
    at: 'az-ci',
    tag: tag ?? null,
    key: null,
    baggage: [tag === undefined ? 'waybill-depth=1' : `clk=${tag},waybill-depth=1`],
    traces: 0,
  }),
  stranger: brought(clients, NOTHING),
})

/** The code at the line and column of a frame. */
function codeAt(place: string): string {
  const [, file = '', line, column] = /(?:file:\/\/)?(\/[^():]+):(\d+):(\d+)/.exec(place) ?? []
  return (readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '').slice(Number(column) - 1)
}

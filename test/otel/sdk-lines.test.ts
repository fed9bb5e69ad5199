import { fileURLToPath } from 'node:url'
import { SpanKind } from '@opentelemetry/api'
import { farServer, namesOfOurs, type FarServer } from '@waybill/conformance/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startKitBesideSdk, type Place } from './kit-beside-sdk.js'
import { installLine3 } from './line-3.js'
import type { ServiceProcess } from './service-process.js'

/** What the service tells of its spans and log records: attributes of ours alone. */
interface Report {
  readonly spans: readonly { readonly name: string; readonly kind: SpanKind; readonly said: object }[]
  readonly records: readonly object[]
}

const here: Place = {
  node: process.execPath,
  folder: fileURLToPath(new URL('services', import.meta.url)),
}
const line3 = await installLine3()
if (typeof line3 === 'string') {
  process.stdout.write(`note: the 3.x line of OpenTelemetry is not tried, which needs Node 24. ${line3}\n`)
}
interface Line {
  readonly name: string
  readonly place: Place
  readonly node: string
  /** The version of `@opentelemetry/api`, of which there is one copy. */
  readonly api: string
}
const lines: readonly Line[] = [
  { name: '2.x', place: here, node: process.versions.node, api: '1.9.1' },
  ...(typeof line3 === 'string'
    ? []
    : [{ name: '3.x, on Node 24', place: line3, node: '24.', api: '1.10.0' }]),
]
afterAll(() => (typeof line3 === 'string' ? undefined : line3.remove()))

const CAME_IN = 'clk=alice,shard-key=42,waybill-depth=1,a=1'
const OURS = 'clk=alice,shard-key=42,waybill-depth=2'
const SAID = {
  'waybill.clk': 'alice',
  'waybill.hop_count': 0,
  'waybill.shard_hash': expect.any(String) as string,
}

describe.each(lines)('NodeSDK of the line $name', ({ place, node, api }) => {
  let inventory: FarServer
  let stranger: FarServer
  let service: ServiceProcess
  beforeAll(async () => {
    ;[inventory, stranger] = await Promise.all([farServer(), farServer()])
    service = await startKitBesideSdk(place, inventory.origin)
  })
  afterAll(() => Promise.all([inventory.close(), stranger.close(), service.stop()]))

  const ask = async (path: string): Promise<unknown> => (await fetch(`${service.origin}${path}`)).json()
  const sent = ({ heard }: FarServer): unknown =>
    heard
      .slice(-2)
      .map((one) => [
        one.lines('baggage'),
        one.lines('clk'),
        one.lines('traceparent').length,
        namesOfOurs(one),
      ])

  test('is the one that is meant', async () => {
    expect(await ask('/versions')).toEqual({ node: expect.stringContaining(node) as string, api: [api] })
  })

  test.each(['http', 'fetch', 'undici'])(
    'by %s a call of the kit bears one baggage, one past it foreign members alone, and events keep the scope',
    async (by) => {
      const query = new URLSearchParams({ by, stranger: stranger.origin })
      const url = `${service.origin}/call?${query.toString()}`
      const response = await fetch(url, { method: 'POST', body: 'body', headers: { baggage: CAME_IN } })
      expect(await response.json()).toEqual({ seen: 'alice' })
      const past = [['a=1'], [], 1, []]
      expect(sent(inventory)).toEqual([[[`${OURS},a=1`], ['alice'], 1, expect.any(Array)], past])
      expect(sent(stranger)).toEqual([past, past])
    },
  )

  test('each nesting is what it looks like', async () => {
    expect(await ask('/nestings')).toEqual({
      'span in A': 'a',
      'A in a span': 'a',
      'B in A': 'b',
      'root context in A': 'none',
      'B in the root context in A': 'b',
      'bound by the kit in A, called in B': 'a',
      'bound by OpenTelemetry in A, called in B': 'a',
    })
  })

  test('spans and log records say whose request they belong to', async () => {
    const report = (): Promise<Report> => ask('/report') as Promise<Report>
    const ofKind = async (wanted: SpanKind): Promise<unknown> =>
      (await report()).spans
        .filter(({ kind, name }) => kind === wanted && !/nestings|report|versions/.test(name))
        .map(({ said }) => said)
    await expect.poll(() => ofKind(SpanKind.SERVER)).toEqual([SAID, SAID, SAID])
    expect(await ofKind(SpanKind.CLIENT)).toEqual(Array.from({ length: 12 }, () => SAID))
    expect((await report()).records).toEqual([SAID, SAID, SAID])
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { demoAt, processesWith, runDemo, sceneOf, SHOP, type Outcome } from './demo.js'

describe('npm run demo:otel', () => {
  let demo: Outcome

  beforeAll(async () => {
    // The environment of a user who has an OpenTelemetry of her own.
    demo = await runDemo('demo-otel.js', {
      OTEL_SDK_DISABLED: 'true',
      OTEL_TRACES_SAMPLER: 'always_off',
      OTEL_PROPAGATORS: 'b3',
    })
  }, 300_000)

  test('every scene comes out right, and the demo ends with 0', () => {
    expect(demo.output).toMatch(/(\d+) of \1 scenes came out right/)
    expect(demo.output).not.toContain('✗')
    expect(demo.code).toBe(0)
  })

  test('a trace stands beside the way: tag, hop count and hash of the key in the spans, and who served', () => {
    const scene = sceneOf(demo.output, 'clk: alice: her inventory serves order')
    expect(scene).toMatch(/^ +web +alice +0 +– +– +az-ci$/m)
    expect(scene).toMatch(/─ order +alice +0 +[0-9a-f]{8} +1, depth 1 +az-ci +BASELINE_ZONE$/m)
    expect(scene).toMatch(/─ inventory +alice +0 +[0-9a-f]{8} +1, depth 2 +alice +TAG_EXACT$/m)
    expect(scene).toMatch(/─ bank +– +– +– +– +a stranger +outside$/m)
  })

  test('a service without the kit makes no fact of ours, and the kit behind it has them all', () => {
    const scene = sceneOf(demo.output, 'clk: bob, at the same moment')
    expect(scene).toMatch(/─ shipping +– +– +– +1, depth 2 +without kit +BASELINE_ADDRESS$/m)
    expect(scene).toMatch(/─ inventory +bob +0 +[0-9a-f]{8} +1, depth 2 +az-ci +not told$/m)
    expect(scene).toMatch(/─ warehouse +bob +0 +[0-9a-f]{8} +1, depth 3 +bob +not told$/m)
  })

  test('an untagged request has no tag in any span', () => {
    const scene = sceneOf(demo.output, 'No tag: the trace on the left')
    expect(scene).toMatch(/─ warehouse +– +0 +[0-9a-f]{8} +1, depth 3 +az-ci/)
    expect(scene).not.toMatch(/alice|bob/)
  })

  test('of many interleaved traces none is mixed, and no call bears two baggage headers', () => {
    const scene = sceneOf(demo.output, '150 orders interleaved')
    for (const buyer of ['clk alice', 'clk bob', 'untagged']) {
      expect(scene).toMatch(new RegExp(`${buyer} +50 of 50 whole and in every span`))
    }
    expect(scene).toContain('900 of 900 calls within the fleet bear one baggage header')
  })

  test('what an outsider puts into baggage under our names ends at the entry', () => {
    const scene = sceneOf(demo.output, "An outsider's baggage")
    expect(scene).toMatch(/order +was sent +baggage: shard-key=[\w-]+,waybill-depth=1,team=red$/m)
    expect(scene).toMatch(/bank +was sent +baggage: team=red$/m)
  })

  test('no shard key stands in a span, and nothing of ours goes to a stranger', () => {
    const scene = sceneOf(demo.output, 'What has left the fleet')
    expect(scene).toMatch(/\d,\d{3} spans, 0 with a shard key in clear/)
    expect(scene).toMatch(/(\d+) calls to the bank, \1 with traceparent, 0 with a name or key of ours/)
  })

  test('what a service without the kit tells a stranger is shown as it is', () => {
    const scene = sceneOf(demo.output, 'What a service without the kit cannot hold to')
    expect(scene).toMatch(/payment, with the kit, .*baggage: none$/m)
    expect(scene).toMatch(/shipping, without, .*baggage: clk=alice,shard-key=[\w-]+,waybill-depth=2$/m)
  })

  test('an entry beside a plain propagator does not start, and is told the remedy', () => {
    const scene = sceneOf(demo.output, 'web where something has registered that propagator')
    expect(scene).toMatch(/ERR_WAYBILL_FOREIGN_PROPAGATOR/)
    expect(scene).toContain('otelWaybill()')
    expect(scene).not.toMatch(/^ +at /m)
  })

  test('leaves no process behind', async () => {
    expect(await processesWith(SHOP)).toEqual([])
  })
})

test('a demo under OpenTelemetry that is ended by Ctrl-C takes its processes with it', async () => {
  const demo = await demoAt('demo-otel.js', 'No tag: the trace', {})
  expect((await processesWith(SHOP)).length).toBeGreaterThan(8)
  await demo.end('SIGINT')
  await expect.poll(() => processesWith(SHOP), { timeout: 10_000 }).toEqual([])
}, 120_000)

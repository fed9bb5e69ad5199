import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAt, processesWith, runDemo, sceneOf, SHOP, type Outcome } from '../demo.js'

// A temporary folder of its own: what the demo and its broker leave there is to be seen, and to be removed.
const temporary = mkdtempSync(join(tmpdir(), 'waybill-e2e-'))
afterAll(() => {
  rmSync(temporary, { recursive: true, force: true })
})

/** The broker is the demo's own, whatever Kafka the tests use. */
const OWN_BROKER = { KAFKA_BROKERS: undefined, TMPDIR: temporary }

/** Everything that the demo started: services, the broker and its watchdog, which name their folder, and what they wrote. */
async function leftBehind(): Promise<readonly string[]> {
  return [...(await processesWith(SHOP)), ...(await processesWith(temporary)), ...readdirSync(temporary)]
}

const nothingIsLeft = (): Promise<void> => expect.poll(leftBehind, { timeout: 30_000 }).toEqual([])

describe('npm run demo:kafka', () => {
  let demo: Outcome

  beforeAll(async () => {
    demo = await runDemo('demo-kafka.js', OWN_BROKER)
  }, 900_000)

  test('every scene comes out right, and the demo ends with 0', () => {
    expect(demo.output).toMatch(/(\d+) of \1 scenes came out right/)
    expect(demo.output).not.toContain('✗')
    expect(demo.code).toBe(0)
  })

  test('S0-4 S2-4 one clk is kept from the entry over Kafka into a worker thread, and her inventory serves at both ends', () => {
    const scene = sceneOf(demo.output, 'clk: alice: kept over Kafka')
    expect(scene).toMatch(/order +az-ci +BASELINE_ZONE/)
    expect(scene).toMatch(/inventory +alice +TAG_EXACT/)
    expect(scene).toMatch(/Kafka +orders-\w+\[\d\]@\d+, baggage: clk=alice,waybill-depth=2/)
    expect(scene).toMatch(/notification +clk alice/)
    expect(scene).toMatch(/worker +clk alice +thread \d/)
    expect(scene).toMatch(/inventory +clk alice +served by alice/)
  })

  test('an untagged order is untagged on the whole way', () => {
    const scene = sceneOf(demo.output, 'No tag: the shared zone serves on the whole way')
    expect(scene).toMatch(/inventory +clk - +served by az-ci/)
    expect(scene).not.toMatch(/alice|bob/)
  })

  test('of ten thousand interleaved messages none is mixed and none missing', () => {
    const scene = sceneOf(demo.output, '10,000 preorders interleaved')
    for (const customer of ['clk alice', 'clk bob', 'clk carol', 'untagged']) {
      expect(scene).toMatch(new RegExp(`${customer} +2,500 of 2,500 in notification, worker and inventory`))
    }
    expect(scene).toContain('0 mixed, 0 missing')
    expect(scene).toContain('by 2 worker threads')
  })

  test('a laptop joins the shared group only when it says so, and is told the line to add', () => {
    const scene = sceneOf(demo.output, 'Alice starts notification as it is')
    expect(scene).toMatch(
      /kafka\.consumer\(\{ groupId: "orders-\w+\.notification", group: 'own' \}\).*ERR_WAYBILL_SHARED_GROUP/,
    )
  })

  test('in a group of its own it handles what bears its tag, and says that the baseline does so too', () => {
    const scene = sceneOf(demo.output, "With group: 'own'")
    expect(scene).toContain('Alice handled alice; the shared zone handled bob, untagged, alice')
    expect(scene).toMatch(/own-group: .*notification__clk__alice/)
  })

  test('leaves no process behind, no broker and no folder', async () => {
    await nothingIsLeft()
  })
})

test('a demo that is ended by Ctrl-C takes processes, broker and folders with it', async () => {
  const demo = await demoAt('demo-kafka.js', 'No tag: the shared zone', OWN_BROKER)
  expect((await leftBehind()).length).toBeGreaterThan(8)
  await demo.end('SIGINT')
  await nothingIsLeft()
}, 120_000)

test('without a broker the demo ends with 1 and the line to type', async () => {
  const { code, output } = await runDemo('demo-kafka.js', {
    ...OWN_BROKER,
    PATH: '/nowhere',
    JAVA_HOME: undefined,
  })
  expect(output).toContain('\n  apt-get install -y maven openjdk-17-jre-headless\n')
  expect(output).not.toMatch(/^ +at /m)
  expect(code).toBe(1)
})

test('where KAFKA_BROKERS names a broker that does not answer, the demo ends with 1 and its address', async () => {
  const { code, output } = await runDemo('demo-kafka.js', { ...OWN_BROKER, KAFKA_BROKERS: '127.0.0.1:1' })
  expect(output).toContain('127.0.0.1:1')
  expect(output).not.toMatch(/^ +at /m)
  expect(code).toBe(1)
})

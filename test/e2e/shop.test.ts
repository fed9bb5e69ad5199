import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAt, processesWith, runDemo, sceneOf, SHOP, type Outcome } from './demo.js'

describe('npm run demo', () => {
  let demo: Outcome

  beforeAll(async () => {
    // The environment of a user who has Waybill variables and a Kafka of her own.
    demo = await runDemo('demo.js', {
      WAYBILL_CLK: 'mine',
      WAYBILL_REGISTRY: 'file:/nowhere.yaml',
      KAFKA_BROKERS: '127.0.0.1:1',
    })
  }, 300_000)

  test('S2-8 every scene comes out right, and the demo ends with 0', () => {
    expect(demo.output).toMatch(/(\d+) of \1 scenes came out right/)
    expect(demo.output).not.toContain('✗')
    expect(demo.code).toBe(0)
  })

  test('S2-1 S2-6 clk: alice reaches her machine for her module, and the shared zone for the rest', () => {
    const scene = sceneOf(demo.output, 'clk: alice: her inventory serves')
    expect(scene).toMatch(/order +az-ci +BASELINE_ZONE/)
    expect(scene).toMatch(/inventory +alice +TAG_EXACT/)
    expect(scene).toMatch(/payment +az-ci +BASELINE_ZONE/)
    expect(scene).toMatch(/shipping +its address +BASELINE_ADDRESS/)
  })

  test('D2-1 a tag that nobody announces is served by the shared zone', () => {
    expect(sceneOf(demo.output, 'clk: nobody')).not.toMatch(/alice|bob|team/)
  })

  test('routing-13 after her crash the shared zone serves, and the reply says what became of her tag', () => {
    const scene = sceneOf(demo.output, 'Every later call of hers')
    expect(scene).toMatch(/inventory +az-ci +BASELINE_ZONE/)
    expect(scene).toMatch(/noted: .*TAG_UN(HEALTHY|REACHABLE)/)
  })

  test('routing-60 a second owner of a living tag is refused with the name of the holder', () => {
    expect(sceneOf(demo.output, 'A second owner starts')).toMatch(/ERR_WAYBILL_TAG_OWNED/)
    expect(sceneOf(demo.output, 'A second owner starts')).toContain('alice@laptop')
  })

  test("what is refused is told by its code and reason, without anybody's address or owner", () => {
    const scene = sceneOf(demo.output, 'clk: alice: order lists coupon with policy strict')
    expect(scene).toContain('503 ERR_WAYBILL_NO_PROVIDER: STRICT_NO_MATCH')
    expect(scene).not.toContain('ci-coupon')
  })

  test('leaves no process behind', async () => {
    expect(await processesWith(SHOP)).toEqual([])
  })
})

describe('a demo that is ended in the middle', () => {
  // A temporary folder of its own: what the demo leaves there is to be seen, and to be removed.
  const temporary = mkdtempSync(join(tmpdir(), 'waybill-e2e-'))
  afterAll(() => {
    rmSync(temporary, { recursive: true, force: true })
  })

  async function endIt(signal: NodeJS.Signals): Promise<void> {
    const demo = await demoAt('demo.js', 'No tag: the shared zone', { TMPDIR: temporary })
    expect((await processesWith(SHOP)).length).toBeGreaterThan(10)
    expect(readdirSync(temporary)).not.toEqual([])
    await demo.end(signal)
    await expect.poll(() => processesWith(SHOP), { timeout: 10_000 }).toEqual([])
  }

  test('by Ctrl-C takes its processes and its folder with it', async () => {
    await endIt('SIGINT')
    expect(readdirSync(temporary)).toEqual([])
  })

  test('by kill -9 takes its processes with it', async () => {
    await endIt('SIGKILL')
  })
})

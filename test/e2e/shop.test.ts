import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = `${root}examples/shop/dist`

interface Outcome {
  readonly code: number | null
  readonly output: string
  readonly tookMs: number
}

/** Runs the demo as `npm run demo` does, in the environment of a user who has Waybill variables of her own. */
function runDemo(): Promise<Outcome> {
  const started = performance.now()
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`${folder}/demo.js`], {
      env: { ...process.env, NO_COLOR: '1', WAYBILL_CLK: 'mine', WAYBILL_REGISTRY: 'file:/nowhere.yaml' },
    })
    let output = ''
    const keep = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('close', (code) => {
      resolve({ code, output, tookMs: performance.now() - started })
    })
  })
}

async function processesOfTheShop(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args='], { maxBuffer: 2 ** 24 })
  return stdout.split('\n').filter((line) => line.includes(folder))
}

/** The lines of one scene, from its title to the next empty line. */
function sceneOf(output: string, title: string): string {
  const start = output.indexOf(title)
  return start === -1 ? '' : (output.slice(start).split('\n\n')[0] ?? '')
}

describe('npm run demo', () => {
  let demo: Outcome

  beforeAll(async () => {
    demo = await runDemo()
  }, 120_000)

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
    expect(await processesOfTheShop()).toEqual([])
  })
})

describe('a demo that is ended in the middle', () => {
  // A temporary folder of its own: what the demo leaves there is to be seen, and to be removed.
  const temporary = mkdtempSync(join(tmpdir(), 'waybill-e2e-'))
  afterAll(() => {
    rmSync(temporary, { recursive: true, force: true })
  })

  async function endIt(signal: NodeJS.Signals): Promise<void> {
    const child = spawn(process.execPath, [`${folder}/demo.js`], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('No tag: the shared zone')) resolve()
      })
    })
    expect((await processesOfTheShop()).length).toBeGreaterThan(10)
    expect(readdirSync(temporary)).not.toEqual([])
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
    await expect.poll(processesOfTheShop, { timeout: 10_000 }).toEqual([])
  }

  test('by Ctrl-C takes its processes and its folder with it', async () => {
    await endIt('SIGINT')
    expect(readdirSync(temporary)).toEqual([])
  })

  test('by kill -9 takes its processes with it', async () => {
    await endIt('SIGKILL')
  })
})

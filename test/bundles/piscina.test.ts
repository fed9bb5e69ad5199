import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { RunningAlone } from './running-alone.js'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const out = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-pool-')))
afterAll(() => rmSync(out, { recursive: true, force: true }))

/** The file from which piscina starts its threads. */
const WORKER = join(dirname(createRequire(import.meta.url).resolve('piscina')), 'worker.js')

test.each([false, true])(
  'a bundled pool, with what piscina wants to find beside it, runs tasks in the waybill of who submits (minify: %s)',
  async (minify) => {
    const folder = mkdtempSync(join(out, 'pool-'))
    await build({
      entryPoints: [
        { in: here('applications/pooled.mjs'), out: 'pooled' },
        { in: here('applications/task.mjs'), out: 'task' },
        { in: WORKER, out: 'worker' },
      ],
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      minify,
      // Compiled for each system; piscina does without.
      external: ['@napi-rs/nice'],
      tsconfigRaw: {},
      logLevel: 'silent',
    })
    const env = { WAYBILL_SERVICE: 'shop', WAYBILL_ENVIRONMENT: 'test' }
    const pooled = await RunningAlone.start(join(folder, 'pooled.js'), { env })
    try {
      const labels = await Promise.all(['alice', 'bob'].map((tag) => pooled.ask('/', { tag })))
      expect(labels).toEqual(['label for alice', 'label for bob'])
    } finally {
      await pooled.stop()
    }
  },
)

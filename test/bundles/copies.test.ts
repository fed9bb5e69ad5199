import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

test('context vercel/workflow#1408, #839; cedarjs/cedar#1779 four copies in one process, two of them bundles, have one store', async () => {
  const out = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-copies-')))
  try {
    const bundles = [
      { format: 'esm', outfile: join(out, 'one.mjs') },
      { format: 'cjs', outfile: join(out, 'two.cjs'), minify: true },
    ] as const
    for (const options of bundles) {
      await build({
        ...options,
        entryPoints: [here('applications/kit.mjs')],
        bundle: true,
        platform: 'node',
        tsconfigRaw: {},
        logLevel: 'silent',
      })
    }
    const copies = [
      here('applications/kit.mjs'),
      here('applications/kit.cjs'),
      ...bundles.map(({ outfile }) => outfile),
    ]
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--import',
        new URL('../../packages/conformance/src/process/count-storages.mjs', import.meta.url).href,
        here('copies-in-one-process.mjs'),
        JSON.stringify(copies),
      ],
      { env: {} },
    )
    const { seen, storages } = JSON.parse(stdout) as { seen: unknown[]; storages: number }
    expect(seen).toHaveLength(copies.length * (copies.length - 1))
    for (const pair of seen) {
      expect(pair).toEqual({
        apart: true,
        tag: 'alice',
        bound: 'alice',
        inner: 'bob',
        detached: 'none',
        key: 'ERR_WAYBILL_KEY_CONFLICT',
        error: true,
        wrappedOnce: true,
      })
    }
    expect(storages).toBe(1)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
})

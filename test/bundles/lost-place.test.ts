import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { RunningAlone } from './running-alone.js'

const ENTRY = fileURLToPath(new URL('applications/forgetful.mjs', import.meta.url))
const out = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-lost-place-')))
afterAll(() => rmSync(out, { recursive: true, force: true }))

/** Where the application is told that its call was lost. */
async function places(options: BuildOptions, flags: readonly string[] = []): Promise<unknown> {
  const file = join(out, `${String(Math.random()).slice(2)}.cjs`)
  await build({
    entryPoints: [ENTRY],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    tsconfigRaw: {},
    logLevel: 'silent',
    ...options,
  })
  const env = { WAYBILL_SERVICE: 'shop', WAYBILL_ENVIRONMENT: 'test' }
  const running = await RunningAlone.start(file, { env, flags })
  try {
    return await running.ask('/', { tag: 'alice' })
  } finally {
    await running.stop()
  }
}

test('with source maps the place of a minified bundle is the line of the application', async () => {
  const maps = { minify: true, sourcemap: 'inline' } as const
  const own = expect.stringMatching(/\/applications\/forgetful\.mjs:\d+:\d+\)$/)
  expect(await places(maps, ['--enable-source-maps'])).toEqual([own])
  expect(await places(maps)).not.toEqual([own])
})

// webpack writes where a file lay when the bundle was made. This one is no path of the system that runs it.
test('an address that another system has left in the bundle fails no call', async () => {
  const define = { 'import.meta.url': JSON.stringify('file:///C%2F/kit/core/dist/index.mjs') }
  expect(await places({ define })).toHaveLength(1)
})

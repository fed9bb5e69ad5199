import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const manifest = createRequire(import.meta.url).resolve('@waybill/adapters/package.json')
const REGISTER = pathToFileURL(join(dirname(manifest), 'dist', 'register.mjs')).href

const FILES = {
  'inner.mjs': `export const value = 'inner'`,
  'all.mjs': `export * from './inner.mjs'; export * from 'node:http'; export * as https from 'node:https'`,
  'main.mjs': `import http from 'node:http'
    import { value, request, https } from './all.mjs'
    console.log(JSON.stringify([value, request === http.request, request.toString().length, typeof https.request]))`,
}

test('context open-telemetry/opentelemetry-js#4547 a module that exports all of others loads behind the flag, and sees what it puts there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-export-star-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
  const env = { ...process.env, WAYBILL_SERVICE: 'order', WAYBILL_ENVIRONMENT: 'test' }
  const run = (...flags: string[]) =>
    promisify(execFile)(process.execPath, [...flags, join(folder, 'main.mjs')], { env })
  const [bare, flagged] = [await run(), await run('--import', REGISTER)]
  const [seenBare, seen] = [bare, flagged].map(({ stdout }) => JSON.parse(stdout) as unknown[])
  expect(seen).toEqual(['inner', true, expect.any(Number), 'function'])
  // The text of the function that stands in the place of Node's own.
  expect(seen?.[2]).not.toBe(seenBare?.[2])
})

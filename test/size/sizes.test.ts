import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Bytes by the name of the entry. */
type Sizes = Readonly<Record<string, number>>

/** What a size may differ from its committed figure: a share of it, and bytes where that share is next to nothing. */
const TOLERANCE = { share: 0.02, bytes: 64 }

const HINT = `An entry differs by more than ${TOLERANCE.share * 100} % from its size in test/size/sizes.json.
Is it heavier than it need be? Look at what it imports. Is it meant? Commit the new figure:
npm run build && npx vitest run --project sizes -u`

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

async function measure(): Promise<Sizes> {
  const args = [at('../../node_modules/size-limit/bin.js'), '--json', '--config', at('size-limit.config.mjs')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: at('../..') })
  const rows = JSON.parse(stdout) as readonly { name: string; size: number }[]
  return Object.fromEntries(rows.map(({ name, size }) => [name, size]))
}

/** The measured sizes, with the committed figure of each that still tells the truth. */
const settled = (measured: Sizes, committed: Sizes): Sizes =>
  Object.fromEntries(
    Object.entries(measured).map(([name, size]) => {
      const figure = committed[name]
      const holds =
        figure !== undefined && Math.abs(size - figure) <= Math.max(TOLERANCE.share * figure, TOLERANCE.bytes)
      return [name, holds ? figure : size]
    }),
  )

test('each entry, and each package it brings, is as large as its committed figure says', async () => {
  const committed = JSON.parse(readFileSync(at('sizes.json'), 'utf8')) as Sizes
  const sizes = settled(await measure(), committed)
  await expect(`${JSON.stringify(sizes, null, 2)}\n`, HINT).toMatchFileSnapshot('./sizes.json')
})

test('growth, shrinkage, a new entry and one that is gone are noticed; a few bytes are not', () => {
  const committed = { grown: 10_000, shrunk: 10_000, kept: 10_000, tiny: 70, gone: 1 }
  expect(settled({ grown: 10_201, shrunk: 9_799, kept: 10_200, tiny: 134, added: 5 }, committed)).toEqual({
    grown: 10_201,
    shrunk: 9_799,
    kept: 10_000,
    tiny: 70,
    added: 5,
  })
})

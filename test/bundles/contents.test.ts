import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { entryFiles } from '../architecture/entries.js'

const APPLICATIONS = fileURLToPath(new URL('applications/', import.meta.url))

/** What an entry needs beside the kit: nobody gets more into a bundle by importing it. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  '@waybill/adapters/otel': ['@opentelemetry/api'],
  '@waybill/routing': ['yaml'],
  '@waybill/routing/testing': ['yaml'],
}

/** The one entry that does something when it is loaded. */
const REGISTER = '@waybill/adapters/register'

/** Bundles a line of code for Node, as an ES module. */
async function bundleOf(contents: string): Promise<{ readonly code: string; readonly metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: APPLICATIONS },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    tsconfigRaw: {},
    logLevel: 'silent',
  })
  return { code: outputFiles[0]?.text ?? '', metafile }
}

const packagesIn = ({ inputs }: Metafile): string[] => [
  ...new Set(
    Object.keys(inputs).flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  ),
]

describe.each(entryFiles)('a bundle with $name alone', ({ name: entry }) => {
  test.each([
    ['an ES module', `export * from '${entry}'`],
    ['CommonJS', `require('${entry}')`],
  ])('from %s holds the kit and what this entry needs, no other host', async (_, line) => {
    const { metafile } = await bundleOf(line)
    const others = packagesIn(metafile).filter((name) => !name.startsWith('@waybill/'))
    expect(others).toEqual(OTHERS[entry] ?? [])
    const registers = Object.keys(metafile.inputs).some((path) => /\/register\.[cm]js$/.test(path))
    expect(registers).toBe(entry === REGISTER)
  })

  test('takes of Node what an ES module can import', async () => {
    const { metafile } = await bundleOf(`export * from '${entry}'`)
    const required = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === 'require-call').map(({ path }) => path),
    )
    // A bundle with yaml, as one with express, needs a `require`: docs/opentelemetry.md#bundlers.
    expect(required.length > 0).toBe(OTHERS[entry]?.includes('yaml') === true)
  })

  test('is empty where none of its names is used, but for the one that is there for its effect', async () => {
    const { code } = await bundleOf(`import '${entry}'`)
    expect(code === '').toBe(entry !== REGISTER)
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/** Sources of a test, bundled so that plain Node can run them in threads and processes of their own. */
export interface BundledWorkers {
  /** The path of one of them. */
  path(name: string): string
  dispose(): void
}

/** Bundles files of `test/workers`, by their names. */
export async function bundleWorkers(...names: readonly string[]): Promise<BundledWorkers> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-workers-'))
  await build({
    configFile: false,
    logLevel: 'silent',
    root: packages,
    resolve: {
      alias: [
        { find: /^@waybill\/core$/, replacement: join(packages, 'core/src/index.ts') },
        { find: /^@waybill\/core\/([\w-]+)$/, replacement: join(packages, 'core/src/$1.ts') },
      ],
    },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(
          names.map((name) => [name, join(packages, `adapters/test/workers/${name}.ts`)]),
        ),
        output: { entryFileNames: '[name].mjs' },
      },
    },
  })
  return {
    path: (name) => join(folder, `${name}.mjs`),
    dispose: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProcessRecord } from '../process-record.js'

/** What the adapters translate from, and what stands beside them. */
const HOSTS = [
  'axios',
  'express',
  'pino',
  'piscina',
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/instrumentation-http',
  '@opentelemetry/instrumentation-undici',
  '@opentelemetry/sdk-trace-node',
]

/**
 * Copies the built packages into a folder of their own, where their code may be changed, lets `act` use it and removes
 * it.
 * @param change is given the path of each program within its package (`dist/index.mjs`) and its text.
 */
export async function withInstallation(
  { folder, packages }: ProcessRecord,
  change: (path: string, text: string) => string,
  act: (installed: ProcessRecord) => Promise<void>,
): Promise<void> {
  const require = createRequire(join(folder, 'from-here.cjs'))
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'waybill-installation-')))
  try {
    await mkdir(join(copy, 'node_modules', '@waybill'), { recursive: true })
    for (const name of packages) {
      const from = dirname(await realpath(require.resolve(`${name}/package.json`)))
      const to = join(copy, 'node_modules', name)
      await cp(join(from, 'package.json'), join(to, 'package.json'))
      await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true })
      for (const file of await readdir(join(to, 'dist'))) {
        if (!/\.[cm]js$/.test(file)) continue
        const text = await readFile(join(to, 'dist', file), 'utf8')
        const changed = change(`${name}/dist/${file}`, text)
        if (changed !== text) await writeFile(join(to, 'dist', file), changed)
      }
    }
    for (const host of HOSTS) {
      const from = await realpath(folderOf(host, require))
      await mkdir(dirname(join(copy, 'node_modules', host)), { recursive: true })
      await symlink(from, join(copy, 'node_modules', host))
    }
    await act({ folder: copy, packages })
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Where a package lies; not every one exports its `package.json`. */
function folderOf(name: string, require: NodeJS.Require): string {
  const folders = (require.resolve.paths(name) ?? []).map((path) => join(path, name))
  const found = folders.find((folder) => existsSync(folder))
  if (found === undefined) throw new Error(`${name} is not installed`)
  return found
}

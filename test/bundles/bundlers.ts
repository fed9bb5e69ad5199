import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What a bundler has made of some applications. */
export interface Bundles {
  /** The file of an application. Whatever else the bundler has made of that one lies in the same folder. */
  file(application: string): string
  /** Of what it has warned that is about the packages of the kit. */
  readonly warnings: readonly string[]
}

export interface Bundler {
  /** As the table calls it. */
  readonly name: string
  readonly script: string
  readonly extension: '.cjs' | '.mjs'
  readonly options?: object
  /**
   * What becomes of `new Worker(new URL('./worker.js', import.meta.url))`: true where the worker is bundled along, else the code of
   * the error, and why, and what to do.
   */
  readonly workerBeside: true | { readonly code: string; readonly why: string }
}

const INVALID_URL = {
  code: 'ERR_INVALID_URL',
  why: '`import.meta.url` is empty in CommonJS. Bundle the worker as an entry of its own and say its path by `__dirname`, or let the file be its own worker.',
} as const

/** In the order of the table's rows. */
export const bundlers: readonly Bundler[] = [
  {
    name: 'esbuild, CommonJS',
    script: 'esbuild.mjs',
    extension: '.cjs',
    options: { format: 'cjs' },
    workerBeside: INVALID_URL,
  },
  {
    name: 'esbuild, CommonJS, minified',
    script: 'esbuild.mjs',
    extension: '.cjs',
    options: { format: 'cjs', minify: true },
    workerBeside: INVALID_URL,
  },
  {
    name: 'esbuild, ES module',
    script: 'esbuild.mjs',
    extension: '.mjs',
    options: { format: 'esm' },
    workerBeside: {
      code: 'MODULE_NOT_FOUND',
      why: 'esbuild leaves the address as it is. Bundle the worker as an entry of its own, to that place.',
    },
  },
  { name: 'webpack, `target: node`', script: 'webpack.mjs', extension: '.cjs', workerBeside: true },
  {
    name: 'ncc, ES module',
    script: 'ncc.mjs',
    extension: '.mjs',
    workerBeside: {
      code: 'ERR_MODULE_NOT_FOUND',
      why: 'ncc copies the file of the worker as it is, with its imports. `ncc build --asset-builds` bundles it.',
    },
  },
]

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Bundles applications into a folder that nobody else writes to, in a process of its own. */
export async function bundle(
  { script, extension, options = {} }: Bundler,
  applications: readonly string[],
  folder: string,
): Promise<Bundles> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    here(`bundlers/${script}`),
    folder,
    JSON.stringify(options),
    ...applications.map((application) => here(`applications/${application}.mjs`)),
  ])
  return {
    file: (application) => join(folder, application, application + extension),
    warnings: (JSON.parse(stdout) as string[]).filter((warning) => warning.includes('@waybill')),
  }
}

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { committedNames } from '../architecture/public-names.js'
import { root } from '../architecture/source-files.js'
import { folderWith, node } from './bare-run.js'

interface Compiler {
  readonly version: string
  readonly path: string
  /** What this version asks for before it still resolves as Node 10 did. */
  readonly node10?: Readonly<Record<string, unknown>>
}

const compilers: readonly Compiler[] = [
  { version: '5.4', path: 'test/pack/compilers/typescript-5.4/node_modules/typescript' },
  { version: '5.9', path: 'test/pack/compilers/typescript-5.9/node_modules/typescript' },
  { version: '6.0', path: 'node_modules/typescript', node10: { ignoreDeprecations: '6.0' } },
]

interface Resolution {
  readonly name: 'node10' | 'node16' | 'nodenext' | 'bundler'
  readonly module: string
  /** Extensions of the files that import us: `.cts` and `.mts` where the format follows from them. */
  readonly files: readonly string[]
}

const resolutions: readonly Resolution[] = [
  { name: 'node10', module: 'commonjs', files: ['ts'] },
  { name: 'node16', module: 'node16', files: ['cts', 'mts'] },
  { name: 'nodenext', module: 'nodenext', files: ['cts', 'mts'] },
  { name: 'bundler', module: 'esnext', files: ['ts'] },
]

/** A file that uses every public name: a value as a value, a type as a type. */
const everyName = Object.entries(committedNames())
  .map(([entry, { values, types }], index) => {
    const lines = [`import * as entry${index} from '${entry}'`]
    lines.push(
      `export const values${index}: unknown[] = [${values.map((name) => `entry${index}.${name}`).join(', ')}]`,
    )
    lines.push(
      `export type { ${types.map((name) => `${name} as ${name}${index}`).join(', ')} } from '${entry}'`,
    )
    return lines.join('\n')
  })
  .join('\n')

const cases = compilers.flatMap((compiler) =>
  resolutions.map((resolution) => ({
    title: `TypeScript ${compiler.version}, ${resolution.name}`,
    compiler,
    resolution,
  })),
)

describe('the declarations satisfy a strict user who checks libraries too', () => {
  test.concurrent.each(cases)('$title', async ({ compiler, resolution }) => {
    const options = {
      target: 'es2022',
      lib: ['es2022'],
      module: resolution.module,
      moduleResolution: resolution.name,
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      ...(resolution.name === 'node10' ? compiler.node10 : {}),
    }
    const folder = folderWith(`typescript-${compiler.version}-${resolution.name}`, {
      'tsconfig.json': JSON.stringify({
        compilerOptions: options,
        files: resolution.files.map((end) => `all.${end}`),
      }),
      ...Object.fromEntries(resolution.files.map((end) => [`all.${end}`, everyName])),
    })
    const { code, output } = await node([join(root, compiler.path, 'bin/tsc'), '-p', folder], folder)
    expect(code, output).toBe(0)
  })
})

import { expect, test } from 'vitest'
import { pages, type CodeBlock } from '../docs/markdown.js'
import { folderWith, node, tool, type Ending } from './bare-run.js'

interface Runner {
  readonly name: string
  /** Ending of a test file; tells the module format. */
  readonly file: string
  readonly run: (folder: string, file: string) => Promise<Ending>
}

const runners: readonly Runner[] = [
  {
    name: 'vitest',
    file: 'test.mts',
    run: (folder) => node([tool('vitest/vitest.mjs'), 'run', '--root', folder], folder),
  },
  {
    name: 'jest',
    file: 'test.cjs',
    run: (folder) =>
      node([tool('jest/bin/jest.js'), '--rootDir', folder, '--config', '{"transform":{}}'], folder),
  },
  { name: 'node', file: 'test.mjs', run: (folder, file) => node(['--test', file], folder) },
]

const snippets = pages()
  .flatMap(({ codeBlocks }) => codeBlocks)
  .filter(({ duty }) => duty === 'test')
const snippetsFor = (name: string): readonly CodeBlock[] => snippets.filter(({ runner }) => runner === name)

test.each(runners)('the testing snippets for $name pass', async ({ name, file, run }) => {
  expect(snippetsFor(name), `no page has a block with test=${name}`).not.toEqual([])
  for (const { page, line, text } of snippetsFor(name)) {
    const path = `${page.replaceAll('/', '-')}-${line}.${file}`
    const folder = folderWith(`${name}-${page.replaceAll('/', '-')}-${line}`, { [path]: text })
    const { code, output } = await run(folder, path)
    expect(code, `${page}:${line}\n${output}`).toBe(0)
  }
})

test('a snippet names a runner that CI has', () => {
  expect(snippets.filter(({ runner }) => !runners.some(({ name }) => name === runner))).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { pages } from '../docs/markdown.js'
import { entryFiles } from './entries.js'
import { committedNames, publicNames } from './public-names.js'

test('a public name is added or taken away on purpose', async () => {
  await expect(`${JSON.stringify(publicNames(), null, 2)}\n`).toMatchFileSnapshot('./public-names.json')
})

describe('each public name occurs in a code block that CI compiles or runs', () => {
  const tried = pages()
    .flatMap(({ codeBlocks }) => codeBlocks)
    .filter(({ duty }) => duty === 'run' || duty === 'check' || duty === 'test')
    .map(({ text }) => text)
    .join('\n')
  const words = new Set(tried.match(/[A-Za-z_$][\w$]*/g))

  test.each(entryFiles)('$name', ({ name: entry }) => {
    const { values = [], types = [] } = committedNames()[entry] ?? {}
    expect([...values, ...types].filter((name) => !words.has(name))).toEqual([])
  })
})

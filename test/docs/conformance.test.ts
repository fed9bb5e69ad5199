import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import prettier from 'prettier'
import { describe, expect, test } from 'vitest'
import { allResults, page, testedNodes } from '@waybill/conformance/table'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

test('docs/conformance.md says what the run has verified', async () => {
  const options = await prettier.resolveConfig(at('docs/conformance.md'))
  const text = await prettier.format(page(allResults()), { ...options, parser: 'markdown' })
  await expect(text).toMatchFileSnapshot(at('docs/conformance.md'))
})

test('the Node versions of the table are those that the tests run on', () => {
  const matrix = JSON.parse(readFileSync(at('tools/node-matrix/package.json'), 'utf8')) as object
  const majors = JSON.stringify(matrix).match(/(?<="node)\d+(?=-)/g)
  expect([...new Set(majors)].map(Number).sort()).toEqual(testedNodes)
})

describe('every carrier was seen on each of them', () => {
  test.each(allResults())('$source', ({ source, nodes }) => {
    expect(nodes).toEqual(testedNodes)
    expect(existsSync(at(source)), 'its record is there').toBe(true)
    expect(readFileSync(at(source), 'utf8')).toContain('@waybill/conformance/')
  })
})

import { describe, expect, test } from 'vitest'
import { committedNames } from '../architecture/public-names.js'
import { folderWith, node } from './bare-run.js'

const entries = Object.entries(committedNames())

/** A program that exits non-zero unless the entry has exactly these names. */
const compare = (load: string, values: readonly string[]): string => `
${load}
const names = Object.keys(loaded).filter((name) => name !== '__esModule').sort()
if (JSON.stringify(names) !== ${JSON.stringify(JSON.stringify(values))}) {
  console.error(names)
  process.exitCode = 1
}
`

/** What an entry needs that starts when it is loaded. */
const ENVIRONMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@waybill/adapters/register': { WAYBILL_SERVICE: 'bare', WAYBILL_ENVIRONMENT: 'test' },
}

describe.each(entries)('%s', (entry, { values }) => {
  const name = entry.replaceAll('/', '-')
  const env = ENVIRONMENTS[entry]

  test('has its names as an ES module', async () => {
    const folder = folderWith('esm', {
      [`${name}.mjs`]: compare(`import * as loaded from '${entry}'`, values),
    })
    const { code, output } = await node([`${name}.mjs`], folder, env)
    expect(code, output).toBe(0)
  })

  test('has its names as CommonJS', async () => {
    const folder = folderWith('cjs', {
      [`${name}.cjs`]: compare(`const loaded = require('${entry}')`, values),
    })
    const { code, output } = await node([`${name}.cjs`], folder, env)
    expect(code, output).toBe(0)
  })
})

test('one process that loads both formats has one current waybill', async () => {
  const folder = folderWith('both', {
    'both.mjs': `
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import * as esm from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
const require = createRequire(import.meta.url)
const cjs = require('@waybill/core')
const testing = require('@waybill/core/testing')
assert.notEqual(esm.currentWaybill, cjs.currentWaybill)
withWaybill({ clk: 'alice' }, () => assert.equal(cjs.currentWaybill().clk, 'alice'))
testing.withWaybill({ clk: 'bob' }, () => assert.equal(esm.currentWaybill().clk, 'bob'))
`,
  })
  const { code, output } = await node(['both.mjs'], folder)
  expect(code, output).toBe(0)
})

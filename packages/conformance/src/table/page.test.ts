import { expect, test } from 'vitest'
import { lawsOfKind } from './laws-of-kind.js'
import { page } from './page.js'
import type { VerifiedFile } from './verified.js'

const every = Object.fromEntries(lawsOfKind.timers.map(({ name }) => [name, true as const]))

const file = (...laws: Readonly<Record<string, true | string>>[]): VerifiedFile => ({
  source: 'packages/adapters/src/timers/timers.conformance.ts',
  nodes: [20, 24],
  carriers: laws.map((own, index) => ({
    kind: 'timers',
    name: `timer ${String(index)}`,
    traits: { 'whose waybill': 'the process' },
    laws: { ...every, ...own },
  })),
})

test('each law has a row, each carrier a column, each no its reason, told once', () => {
  const text = page([file({}, { isolated: 'it shares' }, { isolated: 'it shares', lasting: 'it tires' })])
  expect(text).toMatch(/\*\*isolated\*\*: .* \| ✓ \| no <sup>1<\/sup> \| no <sup>1<\/sup> \|/)
  expect(text).toMatch(/\*\*lasting\*\*: .* \| ✓ \| ✓ \| no <sup>2<\/sup> \|/)
  expect(text).toContain('1. timer 1: it shares.\n2. timer 2: it tires.\n')
  expect(text).toContain('| seen on Node | 20, 24 | 20, 24 | 20, 24 |')
  expect(text).toContain('| whose waybill | the process |')
  expect(text).not.toContain('## Tasks')
})

test('a carrier that says nothing of a law is no column of the table', () => {
  const [carrier] = file({}).carriers
  const silent = { ...file(), carriers: [{ ...carrier!, laws: {} }] }
  expect(() => page([silent])).toThrow('timer 0 says nothing of carried')
})

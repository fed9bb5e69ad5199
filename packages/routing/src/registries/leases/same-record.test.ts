import { expect, test } from 'vitest'
import { instanceOf } from '../../fixtures/instance-of.js'
import { readInstance } from '../../instance.js'
import { isSameRecord } from './same-record.js'

const FIELDS = {
  id: 'a',
  cell: 'c',
  zone: 'az-1',
  clks: ['alice', 'bob.*'],
  owner: 'alice@mac',
  metadata: { role: 'x', note: 'y' },
}
const known = instanceOf(FIELDS)
const copy = (): Record<string, unknown> => JSON.parse(JSON.stringify(known)) as Record<string, unknown>

test('a record that came over the wire again is the same', () => {
  expect(isSameRecord(known, known)).toBe(true)
  expect(isSameRecord(copy(), known)).toBe(true)
  expect(isSameRecord(JSON.parse(JSON.stringify(instanceOf({ id: 'b' }))), instanceOf({ id: 'b' }))).toBe(
    true,
  )
})

const others: readonly unknown[] = [
  undefined,
  null,
  7,
  'alice',
  [],
  ['alice'],
  {},
  { length: 2 },
  'ALICE',
  -0,
]

test.each(Object.keys(known))('another %s is another record', (field) => {
  for (const value of others) {
    const raw = { ...copy(), [field]: value }
    expect(isSameRecord(raw, known)).toBe(false)
  }
  const { [field]: _, ...without } = copy()
  expect(isSameRecord(without, known)).toBe(false)
  expect(isSameRecord({ ...without, [`${field}2`]: copy()[field] }, known)).toBe(false)
})

test('what is refused is never the same as what was read', () => {
  const hostile = [
    { ...copy(), clk: 'alice' },
    { ...copy(), clks: ['alice'] },
    { ...copy(), clks: ['bob.*', 'alice'] },
    { ...copy(), metadata: { role: 'x', other: 'y' } },
    { ...copy(), metadata: { role: 'x', note: 'y', clk: 'z' } },
  ]
  for (const raw of [...hostile, null, undefined, 'a', [copy()]]) {
    expect(isSameRecord(raw, known)).toBe(false)
  }
  expect(readInstance(hostile[0])).toHaveProperty('problems')
})

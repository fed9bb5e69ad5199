import { expect, test } from 'vitest'
import { explain } from './explain.js'
import type { VerdictWord } from './explain.js'
import { ciInstance, instanceOf, taggedInstance } from './fixtures/instance-of.js'
import type { InstanceInput } from './instance-list.js'
import { ServiceIndex } from './service-index.js'

test('every instance gets the verdict that decided its case', () => {
  const index = new ServiceIndex('inventory', { environment: 'test', claimed: true })
  const expected: Record<string, VerdictWord> = {}
  const add = (id: string, verdict: VerdictWord, fields: Record<string, unknown>): void => {
    expected[id] = verdict
    index.put(instanceOf({ id, host: `h-${id}`, cell: 'sz', ...fields }))
  }
  add('elsewhere', 'OTHER_ENVIRONMENT', { environment: 'staging' })
  add('far', 'OTHER_CELL', { cell: 'hz' })
  add('off', 'DISABLED', { enabled: false })
  add('light', 'WEIGHT_ZERO', { weight: 0 })
  add('sick', 'EJECTED', {})
  add('laptop', 'FOREIGN_TAG', { clks: ['bob'], owner: 'bob@pc', host: 'shared' })
  add('shadow', 'ADDRESS_IS_TAGGED', { host: 'shared' })
  add('thief', 'NOT_THE_HOLDER', { clks: ['alice'], owner: 'mallory' })
  add('tried', 'TRIED', { clks: ['alice'], owner: 'alice@mac' })
  add('hers', 'ELIGIBLE', { clks: ['alice'], owner: 'alice@mac' })
  add('plain', 'NOT_PREFERRED', {})
  index.hold('alice', 'alice@mac')
  const sick = index.provider('sick')
  if (sick) index.judge(sick, { failing: true, ejected: true })

  const { reason, notes, verdicts, total } = explain(index, {
    clk: 'Alice',
    require: { cell: 'sz' },
    tried: ['tried'],
  })
  expect(Object.fromEntries(verdicts.map(({ id, verdict }) => [id, verdict]))).toEqual(expected)
  expect({ reason, notes, total }).toEqual({ reason: 'TAG_EXACT', notes: ['TAG_TRIED'], total: 11 })
  expect(verdicts.find(({ id }) => id === 'laptop')).toEqual({
    id: 'laptop',
    verdict: 'FOREIGN_TAG',
    at: 'shared:8080',
    clks: ['bob'],
    owner: 'bob@pc',
  })
})

test('role is a requirement too', () => {
  const index = new ServiceIndex('inventory')
  index.put(ciInstance(1))
  index.put(ciInstance(2, { metadata: { role: 'link' } }))
  expect(explain(index, { require: { role: 'link' } }).verdicts.map(({ verdict }) => verdict)).toEqual([
    'OTHER_ROLE',
    'ELIGIBLE',
  ])
})

test('the list is cut at a limit and the count is not', () => {
  const index = new ServiceIndex('inventory')
  for (let n = 0; n < 50; n += 1) index.put(taggedInstance('bob', { id: `b${String(n)}`, port: n + 1 }))
  const { verdicts, total, owners } = explain(index, {}, { limit: 20 })
  expect([verdicts.length, total, owners]).toEqual([20, 50, ['bob@mac']])
})

test('an entry of a plain list that cannot be read is told, not dropped in silence', () => {
  const list: InstanceInput[] = [
    { id: 'odd', host: 'h', port: 1, clks: 'alice,b_b' },
    { id: 'fine', host: 'h', port: 2 },
  ]
  expect(explain(list, {}).verdicts).toEqual([
    { id: 'odd', verdict: 'UNREADABLE' },
    { id: 'fine', verdict: 'ELIGIBLE', at: 'h:2' },
  ])
})

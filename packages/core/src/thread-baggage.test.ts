import { withWaybill } from './testing.js'
import { currentWaybill } from './index.js'
import { expect, test } from 'vitest'
import { baggageBeside, baggageWith, siftBaggage } from './thread-baggage.js'

// A file of its own: here no kit was ever made.
test('while there is no kit, the default names are ours and nothing is written', () => {
  expect(siftBaggage('clk=me,shard-key=7,lane=x,waybill-depth=1')).toEqual({
    own: 'clk=me,shard-key=7,waybill-depth=1',
    foreign: 'lane=x',
  })
  withWaybill({ clk: 'me' }, () => {
    expect(baggageWith(currentWaybill(), 'a=1')).toBe('a=1')
  })
})

test('what a tracer adds later goes behind what was written: foreign members that are not there yet', () => {
  const written = 'clk=me,waybill-depth=1,a=1;p'
  expect(baggageBeside(written, 'b=2,a=9,%63lk=mallory,waybill-depth=0')).toBe(`${written},b=2`)
  expect(baggageBeside('', 'clk=mallory')).toBe('')
  const many = Array.from({ length: 80 }, (_, index) => `m${String(index)}=1`).join(',')
  expect(baggageBeside(written, many).split(',')).toHaveLength(64)
})

import { withWaybill } from './testing.js'
import { currentWaybill } from './index.js'
import { expect, test } from 'vitest'
import { baggageWith, siftBaggage } from './thread-baggage.js'

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

import { expect, test } from 'vitest'
import { publish } from '../events.js'
import { recordEvents } from './record-events.js'

test('events are recorded in order, of the channels named, until it ends', () => {
  const all = recordEvents()
  const audits = recordEvents(['audit'])
  publish('audit', { action: 'a', facts: {} })
  publish('conflict', { direction: 'in', field: 'clk', kept: 'header' })
  expect(all.all.map(({ name }) => name)).toEqual(['audit', 'conflict'])
  expect(audits.all.map(({ name }) => name)).toEqual(['audit'])
  expect(all.of('conflict')).toEqual([{ direction: 'in', field: 'clk', kept: 'header' }])
  all.clear()
  audits.stop()
  publish('audit', { action: 'b', facts: {} })
  all.stop()
  publish('audit', { action: 'c', facts: {} })
  expect(all.of('audit').map(({ action }) => action)).toEqual(['b'])
  expect(audits.of('audit').map(({ action }) => action)).toEqual(['a'])
})

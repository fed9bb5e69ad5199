import { expect, test } from 'vitest'
import { replaceFunction } from './replace-function.js'

const other = (): string => 'other'

test('undo puts the very same function back, as visible as it was', () => {
  const holder = { fn: (): string => 'own' }
  Object.defineProperty(holder, 'hidden', { value: () => 'hidden', configurable: true })
  const before = Object.getOwnPropertyDescriptors(holder)
  const undos = [replaceFunction(holder, 'fn', other), replaceFunction(holder, 'hidden', other)]
  expect(holder.fn()).toBe('other')
  expect(Object.keys(holder)).toEqual(['fn'])
  for (const undo of undos) undo()
  expect(Object.getOwnPropertyDescriptors(holder)).toEqual(before)
})

test('what was inherited is inherited again', () => {
  const above = { fn: (): string => 'above' }
  const holder = Object.create(above) as typeof above
  const undo = replaceFunction(holder, 'fn', other)
  expect(holder.fn()).toBe('other')
  undo()
  undo()
  expect(Object.hasOwn(holder, 'fn')).toBe(false)
})

test('what somebody has put around ours stays', () => {
  const holder = { fn: (): string => 'own' }
  const undo = replaceFunction(holder, 'fn', other)
  const ours = holder.fn
  const theirs = (): string => `theirs, ${ours()}`
  holder.fn = theirs
  undo()
  expect(holder.fn).toBe(theirs)
})

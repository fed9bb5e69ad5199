import { expect, test } from 'vitest'
import { settled } from './settled.js'
import type { VerifiedCarrier } from './verified.js'

const source = 'host.conformance.ts'
const carriers = (law: true | string): VerifiedCarrier[] => [
  { kind: 'tasks', name: 'host', traits: {}, laws: { carried: law } },
]

test('a run on another Node is added to what the others have seen', () => {
  const first = settled(source, carriers(true), 22, undefined)
  expect(first).toEqual({ source, nodes: [22], carriers: carriers(true) })
  const second = settled(source, carriers(true), 20, first)
  expect(second.nodes).toEqual([20, 22])
  expect(settled(source, carriers(true), 20, second)).toEqual(second)
})

test('what has changed was seen by this Node alone', () => {
  const committed = { source, nodes: [20, 22, 24], carriers: carriers(true) }
  expect(settled(source, carriers('it cannot'), 24, committed)).toEqual({
    source,
    nodes: [24],
    carriers: carriers('it cannot'),
  })
})

test('a Node that is none of the table’s changes nothing', () => {
  const committed = { source, nodes: [20, 22, 24], carriers: carriers(true) }
  expect(settled(source, carriers(true), 26, committed)).toEqual(committed)
})

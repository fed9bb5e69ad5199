import { expect, test } from 'vitest'
import { placeOf, selfTimes } from './self-time.mjs'

test('a frame belongs to its package, to a file of ours, or to one of Node', () => {
  const place = (url: string, functionName = 'f') => placeOf({ functionName, url })
  expect(place('file:///r/node_modules/express/node_modules/@a/b/lib/x.js')).toBe('@a/b')
  expect(place('/r/node_modules/router/index.js')).toBe('router')
  expect(place('file:///r/packages/core/dist/index.cjs')).toBe('@waybill/core index.cjs')
  expect(place('/r/test/bench/subjects/express/server.cjs')).toBe('bench subjects/express/server.cjs')
  expect(place('node:_http_server')).toBe('node:_http_server')
  expect(place('', '(garbage collector)')).toBe('(garbage collector)')
  expect(place('', 'writev')).toBe('(native)')
})

test('self times are of the end of a profile, without waiting', () => {
  const frame = (id: number, functionName: string, url: string) => ({ id, callFrame: { functionName, url } })
  const nodes = [
    frame(1, 'start', 'node:start'),
    frame(2, 'a', 'node:a'),
    frame(3, 'b', 'node:b'),
    frame(4, '(idle)', ''),
  ]
  const profile = { nodes, samples: [1, 2, 4, 3, 2, 3], timeDeltas: [100, 10, 10, 10, 10, 20] }
  expect(selfTimes(profile, 60)).toEqual([
    { place: 'node:b', micros: 30 },
    { place: 'node:a', micros: 20 },
  ])
})

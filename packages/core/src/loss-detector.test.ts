import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newCounters } from './counters.js'
import { LossDetector } from './loss-detector.js'
import { recordEvents, type EventRecorder } from './testing.js'

let events: EventRecorder
const prepare = Error.prepareStackTrace
beforeEach(() => {
  events = recordEvents(['lost'])
})
afterEach(() => {
  events.stop()
  Error.prepareStackTrace = prepare
})

test("before anything was adopted a call in no scope is a script's", () => {
  const counters = newCounters()
  new LossDetector(counters, true).callWithoutScope('http')
  expect([counters.lost, events.of('lost')]).toEqual([0, []])
})

test('each place once, counted each time, with what to do', () => {
  const counters = newCounters()
  const detector = new LossDetector(counters, true)
  detector.arm()
  for (let round = 0; round < 3; round++) detector.callWithoutScope('http')
  detector.callWithoutScope('message')
  expect(counters.lost).toBe(4)
  expect(events.of('lost')).toMatchObject([{ kind: 'http' }, { kind: 'message' }])
  for (const { place, remedy } of events.of('lost')) {
    expect(place).toContain('loss-detector.test')
    expect(remedy).toContain('docs/losing-context.md')
  }
})

test('in production it only counts', () => {
  const counters = newCounters()
  const detector = new LossDetector(counters, false)
  detector.arm()
  detector.callWithoutScope('http')
  expect([counters.lost, events.of('lost')]).toEqual([1, []])
})

test.each<[string, (error: Error, frames: NodeJS.CallSite[]) => unknown]>([
  ['the frames themselves', (_, frames) => frames],
  ['nothing', () => undefined],
  ['a number', () => 7],
])('an application may have made %s of stacks; no call fails for it', (_, prepareStackTrace) => {
  const detector = new LossDetector(newCounters(), true)
  detector.arm()
  Error.prepareStackTrace = prepareStackTrace
  detector.callWithoutScope('http')
  Error.prepareStackTrace = prepare
  expect(events.of('lost')).toHaveLength(1)
})

test('at most a thousand places are told', () => {
  const detector = new LossDetector(newCounters(), true)
  detector.arm()
  for (let at = 0; at < 1100; at++) {
    const code = `(detector) => detector.callWithoutScope('http')`
    const call = runInThisContext(code, { filename: `/app/place${at}.js` }) as (of: LossDetector) => void
    call(detector)
  }
  expect(events.of('lost')).toHaveLength(1000)
})

import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newCounters } from './counters.js'
import { LossDetector } from './loss-detector.js'
import { rendezvous } from './rendezvous.js'
import { recordEvents, type EventRecorder } from './testing.js'

let events: EventRecorder
const prepare = Error.prepareStackTrace
beforeEach(() => {
  rendezvous().adopted = false
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

test('what one kit of the process has adopted arms the others', () => {
  new LossDetector(newCounters(), true).arm()
  new LossDetector(newCounters(), true).callWithoutScope('http')
  expect(events.of('lost')).toHaveLength(1)
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

/** Compiles a function as if it stood in that file. */
const inFile = <Fn>(filename: string, code: string): Fn => runInThisContext(`(${code})`, { filename }) as Fn

test.each([
  ['the published package', '/app/node_modules/@waybill/core/dist/index.cjs'],
  ['its ES module', 'file:///app/node_modules/@waybill/core/dist/index.mjs'],
  ['a store of packages', '/app/node_modules/.pnpm/core/node_modules/@waybill/core/dist/index.cjs'],
  ['a client library', '/app/node_modules/axios/lib/core/Axios.js'],
  ['Node', 'node:internal/timers'],
])('the place is the line of the application, behind a frame of %s', (_, file) => {
  const detector = new LossDetector(newCounters(), true)
  detector.arm()
  const inner = inFile<(of: LossDetector) => void>(file, `function inner(of) { of.callWithoutScope('http') }`)
  const place = inFile<(fn: typeof inner, of: LossDetector) => void>(
    '/app/packages/core/src/order.js',
    'function placeOrder(fn, of) { fn(of) }',
  )
  place(inner, detector)
  const [event] = events.of('lost')
  expect(event?.place).toBe('placeOrder (/app/packages/core/src/order.js:1:32)')
  expect(event?.stack.split('\n').slice(0, 2)).toEqual([event?.place, expect.stringContaining('.test.ts:')])
})

test('a library that calls by itself is the place where there is no other', async () => {
  const detector = new LossDetector(newCounters(), true)
  detector.arm()
  const { stackTraceLimit } = Error
  const library = inFile<(of: LossDetector) => void>(
    '/app/node_modules/pool/index.js',
    `function refill(of) { of.callWithoutScope('http') }`,
  )
  setImmediate(library, detector)
  await new Promise((resolve) => setImmediate(resolve))
  expect(events.of('lost')).toMatchObject([
    { place: expect.stringContaining('/app/node_modules/pool/index.js:1:') },
  ])
  expect(Error.stackTraceLimit).toBe(stackTraceLimit)
})

test('in a bundle, whose files say nothing, the entry is left out with what it calls', () => {
  const detector = new LossDetector(newCounters(), true)
  detector.arm()
  const bundle = '/app/dist/bundle.js'
  const entry = inFile<(of: LossDetector) => void>(
    bundle,
    `function entry(of) { (() => of.callWithoutScope('http', undefined, entry))() }`,
  )
  inFile<(fn: typeof entry, of: LossDetector) => void>(bundle, 'function placeOrder(fn, of) { fn(of) }')(
    entry,
    detector,
  )
  expect(events.of('lost')[0]?.place).toMatch(/^placeOrder/)
})

test('a place that was found before stands for that call', () => {
  const detector = new LossDetector(newCounters(), true)
  expect(detector.place(() => {})).toBeUndefined()
  detector.arm()
  const place = detector.place(() => {})
  expect(place?.place).toContain('loss-detector.test')
  detector.callWithoutScope('http', undefined, place)
  expect(events.of('lost')).toMatchObject([place])
  events.stop()
  expect(detector.place(() => {})).toBeUndefined()
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

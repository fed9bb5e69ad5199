import { createKit, currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { threadSecret, WaybillError, type Interceptor } from '@waybill/core/adapter'
import { expect, test } from 'vitest'
import { envelopeKey, open, seal } from './envelope.js'
import { waybillWorker } from './index.js'

createKit({ service: 'order', environment: 'test' })
const key = envelopeKey(threadSecret())
const see = waybillWorker((value: unknown) => [value, tryCurrentWaybill()?.clk])

test('a task in an envelope runs in its waybill, in one of its own each time; a bare one runs where it is called', () => {
  const envelope = seal(key, 'clk=me,waybill-depth=2', { n: 1 })
  expect(see(envelope)).toEqual([{ n: 1 }, 'me'])
  expect(withWaybill({ clk: 'here' }, () => see({ n: 1 }))).toEqual([{ n: 1 }, 'here'])
  for (const bare of [undefined, null, 0, 'text', [1], { value: 1 }])
    expect(see(bare)).toEqual([bare, undefined])
})

test('this, further arguments and what is returned are the function’s own', () => {
  const receiver = { name: 'receiver' }
  const fn = waybillWorker(function (this: unknown, value: unknown, more: number) {
    return { this: this, value, more }
  })
  expect(fn.call(receiver, seal(key, 'clk=me', 1), 2)).toEqual({ this: receiver, value: 1, more: 2 })
})

test('an envelope survives cloning and JSON, and holds one text beside the value', () => {
  const envelope = seal(key, 'clk=me', { n: 1 })
  for (const copy of [structuredClone(envelope), JSON.parse(JSON.stringify(envelope)) as unknown]) {
    expect(open(key, copy)).toEqual({ value: { n: 1 }, baggage: 'clk=me' })
  }
  expect(Object.keys(envelope)).toHaveLength(2)
})

test.each([
  ['a number', 7],
  ['null', null],
])('a corrupt envelope, with %s for a text: the task runs, untagged, with an event', (_name, text) => {
  const events = recordEvents()
  expect(see({ [key]: text, value: 7 })).toEqual([7, undefined])
  events.stop()
  expect(events.of('dropped')).toMatchObject([{ direction: 'in', field: 'task', reason: 'INVALID' }])
})

test('what looks like an envelope, from somebody who does not know the secret, is data', () => {
  for (const name of ['@waybill/task@1', '@waybill/task@1:', envelopeKey('guessed'), '@waybill/task@9']) {
    const forged = { [name]: 'clk=mallory', value: 7 }
    expect(see(forged)).toEqual([forged, undefined])
    // Nor is it opened inside of an envelope, or after one.
    expect(see(seal(key, 'clk=me', forged))).toEqual([forged, 'me'])
  }
})

test('a text that is no baggage leaves the task untagged', () => {
  expect(see(seal(key, 'clk=\u0000, ===;;,clk=NOT A TAG', 7))).toEqual([7, undefined])
})

test('an interceptor that refuses the task refuses it before the function runs', () => {
  const refusing: Interceptor = Object.assign((next: Parameters<Interceptor>[0]) => next, {
    admit: () => new WaybillError('ERR_WAYBILL_LOOP'),
  })
  createKit({ service: 'order', environment: 'test', interceptors: [refusing] })
  expect(() => see(seal(key, 'clk=me', 1))).toThrow('[ERR_WAYBILL_LOOP]')
  createKit({ service: 'order', environment: 'test', disabled: true })
  expect(see(seal(key, 'clk=me', 1))).toEqual([1, undefined])
  createKit({ service: 'order', environment: 'test' })
  expect(waybillWorker(() => currentWaybill().clk)(...([seal(key, 'clk=me', 1)] as unknown as []))).toBe('me')
})

import { context, propagation, type Baggage, type Context } from '@opentelemetry/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { registerSdk, type Sdk } from '../../test/otel/sdk.js'
import { isSending, runSending } from './sending.js'

let sdk: Sdk
beforeEach(() => {
  sdk = registerSdk({ inject() {}, extract: (held) => held, fields: () => [] })
})
afterEach(() => sdk.end())

test.each([
  ['answered', () => Promise.resolve('answer')],
  ['failed', () => Promise.reject(new Error('reset'))],
])('a context that outlives the call is one of other calls once it is %s', async (_how, end) => {
  let inherited: Context | undefined
  const sent = runSending(async () => {
    inherited = context.active()
    await Promise.resolve()
    expect(isSending(context.active())).toBe(true)
    return end()
  })
  expect(isSending(context.active())).toBe(false)
  await sent.catch(() => {})
  expect(inherited).toBeDefined()
  expect(isSending(inherited as Context)).toBe(false)
})

test('withheld baggage can be asked for an entry, is not listed until the answer, and is changed as ever', async () => {
  const baggage = propagation.createBaggage({ a: { value: '1' }, b: { value: '2' } })
  const keysIn = (held: Baggage | undefined): unknown => held?.getAllEntries().map(([key]) => key)
  let inherited: Baggage | undefined
  await context.with(propagation.setBaggage(context.active(), baggage), () =>
    runSending(async () => {
      inherited = propagation.getActiveBaggage()
      expect(keysIn(inherited)).toEqual([])
      expect(inherited?.getEntry('a')).toEqual({ value: '1' })
      expect(keysIn(inherited?.setEntry('c', { value: '3' }))).toEqual(['a', 'b', 'c'])
      expect(keysIn(inherited?.removeEntry('a'))).toEqual(['b'])
      expect(keysIn(inherited?.removeEntries('a', 'b'))).toEqual([])
      expect(keysIn(inherited?.clear())).toEqual([])
    }, true),
  )
  expect(keysIn(inherited)).toEqual(['a', 'b'])
})

test('baggage is not withheld from a propagator that asks', async () => {
  const baggage = propagation.createBaggage({ a: { value: '1' } })
  await context.with(propagation.setBaggage(context.active(), baggage), () =>
    runSending(async () => {
      expect(propagation.getActiveBaggage()).toBe(baggage)
    }),
  )
})

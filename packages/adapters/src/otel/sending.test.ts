import { context, type Context } from '@opentelemetry/api'
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

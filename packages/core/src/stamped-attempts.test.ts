import { expect, test } from 'vitest'
import type { Call } from './call.js'
import { Request } from './request.js'
import { StampedAttempts } from './stamped-attempts.js'

const BAGGAGE = 'clk=alice,waybill-depth=1'
const SERVICE = new URL('http://inventory/stock')

const call = (fields: Partial<Call> = {}): Call =>
  ({ fleet: true, url: SERVICE, ...fields }) as Partial<Call> as Call

/** Holds an attempt open while `look` looks. */
async function during(
  attempts: StampedAttempts,
  request: Request | undefined,
  fields: Partial<Call>,
  look: () => void,
): Promise<void> {
  const set = [['baggage', BAGGAGE]] as const
  await attempts.keep(request, call(fields), { set, remove: [] }, async () => look())
}

test('an attempt is known by its text while it is sent, in its own request alone', async () => {
  const attempts = new StampedAttempts()
  const [own, another] = [new Request(), new Request()]
  const elsewhere = new URL('http://proxy:3128/')
  await during(attempts, own, {}, () => {
    expect(attempts.has(own, elsewhere, BAGGAGE)).toBe(true)
    expect(attempts.has(own, elsewhere, BAGGAGE), 'a retry of the client').toBe(true)
    expect(attempts.has(own, elsewhere, 'clk=alice,waybill-depth=2')).toBe(false)
    expect(attempts.has(another, SERVICE, BAGGAGE)).toBe(false)
    expect(attempts.has(undefined, SERVICE, BAGGAGE)).toBe(false)
  })
  expect(attempts.has(own, elsewhere, BAGGAGE), 'when it is over').toBe(false)
})

test('so is one of a call in no scope, and one that fails', async () => {
  const attempts = new StampedAttempts()
  const failing = attempts.keep(undefined, call(), { set: [['baggage', BAGGAGE]], remove: [] }, async () => {
    expect(attempts.has(undefined, SERVICE, BAGGAGE)).toBe(true)
    throw new Error('reset')
  })
  await expect(failing).rejects.toThrow('reset')
  expect(attempts.has(undefined, SERVICE, BAGGAGE)).toBe(false)
})

test('one that a tracer has written over is known by where it goes, once', async () => {
  const attempts = new StampedAttempts()
  const target = { host: '::1', port: 80, tls: false }
  await during(attempts, undefined, { target }, () => {
    expect(attempts.has(undefined, SERVICE, undefined), 'another call, without baggage').toBe(false)
    expect(attempts.has(undefined, new URL('http://other/'), 'team=red')).toBe(false)
    expect(attempts.has(undefined, new URL('http://[::1]/'), 'team=red')).toBe(true)
    expect(attempts.has(undefined, SERVICE, 'team=red')).toBe(false)
  })
})

test('one that leaves the fleet bears no text, and is known by where it goes', async () => {
  const attempts = new StampedAttempts()
  await during(attempts, undefined, { fleet: false }, () => {
    expect(attempts.has(undefined, SERVICE, undefined)).toBe(true)
    expect(attempts.has(undefined, SERVICE, BAGGAGE)).toBe(false)
  })
})

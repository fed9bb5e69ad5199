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
    expect(attempts.find(own, elsewhere, BAGGAGE)).toBeDefined()
    expect(attempts.find(own, elsewhere, BAGGAGE), 'a retry of the client').toBeDefined()
    expect(attempts.find(own, elsewhere, 'clk=alice,waybill-depth=2')).toBeUndefined()
    expect(attempts.find(another, SERVICE, BAGGAGE)).toBeUndefined()
    expect(attempts.find(undefined, SERVICE, BAGGAGE)).toBeUndefined()
  })
  expect(attempts.find(own, elsewhere, BAGGAGE), 'when it is over').toBeUndefined()
})

test('so is one of a call in no scope, and one that fails', async () => {
  const attempts = new StampedAttempts()
  const failing = attempts.keep(undefined, call(), { set: [['baggage', BAGGAGE]], remove: [] }, async () => {
    expect(attempts.find(undefined, SERVICE, BAGGAGE)).toBeDefined()
    throw new Error('reset')
  })
  await expect(failing).rejects.toThrow('reset')
  expect(attempts.find(undefined, SERVICE, BAGGAGE)).toBeUndefined()
})

test('one that a tracer has written over is known by where it goes, once', async () => {
  const attempts = new StampedAttempts()
  const target = { host: '::1', port: 80, tls: false }
  await during(attempts, undefined, { target }, () => {
    expect(attempts.find(undefined, SERVICE, undefined), 'another call, without baggage').toBeUndefined()
    expect(attempts.find(undefined, new URL('http://other/'), 'team=red')).toBeUndefined()
    expect(attempts.find(undefined, new URL('http://[::1]/'), 'team=red')).toBeDefined()
    expect(attempts.find(undefined, SERVICE, 'team=red')).toBeUndefined()
  })
})

test('one that leaves the fleet bears no text, and is known by where it goes', async () => {
  const attempts = new StampedAttempts()
  await during(attempts, undefined, { fleet: false }, () => {
    expect(attempts.find(undefined, SERVICE, undefined)).toBeDefined()
    expect(attempts.find(undefined, SERVICE, BAGGAGE)).toBeUndefined()
  })
})

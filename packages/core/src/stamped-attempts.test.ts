import { expect, test } from 'vitest'
import type { Call } from './call.js'
import { Request } from './request.js'
import { StampedAttempts, type SeenCall } from './stamped-attempts.js'

const BAGGAGE = 'clk=alice,waybill-depth=1'
const SERVICE = new URL('http://inventory/stock')
const ELSEWHERE = new URL('http://proxy:3128/')
const NAMES = ['clk', 'x-shard-key']

const call = (fields: Partial<Call> = {}): Call =>
  ({ fleet: true, url: SERVICE, ...fields }) as Partial<Call> as Call

const seen = (url: URL, headers: Readonly<Record<string, string>>): SeenCall => ({
  url,
  headers: (name) => headers[name],
})
const written = { clk: 'alice', baggage: BAGGAGE }

/** Holds an attempt open while `look` looks. */
async function during(
  attempts: StampedAttempts,
  request: Request | undefined,
  fields: Partial<Call>,
  look: () => void,
): Promise<void> {
  await attempts.keep(request, call(fields), { set: Object.entries(written), remove: [] }, async () => look())
}

test('an attempt is known by what was written while it is sent, in its own request alone', async () => {
  const attempts = new StampedAttempts()
  const [own, another] = [new Request(), new Request()]
  await during(attempts, own, {}, () => {
    expect(attempts.has(own, seen(ELSEWHERE, written), NAMES)).toBe(true)
    expect(attempts.has(own, seen(ELSEWHERE, written), NAMES), 'a retry of the client').toBe(true)
    expect(attempts.has(another, seen(SERVICE, written), NAMES)).toBe(false)
    expect(attempts.has(undefined, seen(SERVICE, written), NAMES)).toBe(false)
  })
  expect(attempts.has(own, seen(ELSEWHERE, written), NAMES), 'when it is over').toBe(false)
})

test.each([
  ['another text', { ...written, baggage: 'clk=alice,waybill-depth=2' }],
  ['the text alone', { baggage: BAGGAGE }],
  ['another value', { ...written, clk: 'bob' }],
  ['one more of our names', { ...written, 'x-shard-key': '42' }],
])('it is not known by %s', async (_what, headers) => {
  const attempts = new StampedAttempts()
  await during(attempts, undefined, {}, () => {
    expect(attempts.has(undefined, seen(SERVICE, headers), NAMES)).toBe(false)
    expect(attempts.hasAnybodys(seen(SERVICE, headers), NAMES)).toBe(false)
  })
})

test('where nobody knows the request it is known by where it goes, too', async () => {
  const attempts = new StampedAttempts()
  await during(attempts, new Request(), {}, () => {
    expect(attempts.hasAnybodys(seen(SERVICE, written), NAMES)).toBe(true)
    expect(attempts.hasAnybodys(seen(ELSEWHERE, written), NAMES)).toBe(false)
  })
  expect(attempts.hasAnybodys(seen(SERVICE, written), NAMES)).toBe(false)
})

test('one that fails is forgotten', async () => {
  const attempts = new StampedAttempts()
  const failing = attempts.keep(undefined, call(), { set: Object.entries(written), remove: [] }, async () => {
    expect(attempts.has(undefined, seen(SERVICE, written), NAMES)).toBe(true)
    throw new Error('reset')
  })
  await expect(failing).rejects.toThrow('reset')
  expect(attempts.has(undefined, seen(SERVICE, written), NAMES)).toBe(false)
})

test('one that a tracer has written over is known by where it goes, once', async () => {
  const attempts = new StampedAttempts()
  const overwritten = { baggage: 'team=red' }
  const target = { host: '::1', port: 80, tls: false }
  await during(attempts, undefined, { target }, () => {
    expect(attempts.likely(undefined, seen(SERVICE, {})), 'another call, without baggage').toBeUndefined()
    expect(attempts.likely(undefined, seen(new URL('http://other/'), overwritten))).toBeUndefined()
    expect(attempts.likely(undefined, seen(new URL('http://[::1]/'), overwritten))).toMatchObject({ target })
    expect(attempts.likely(undefined, seen(SERVICE, overwritten))).toBeUndefined()
  })
})

test('one that leaves the fleet bears no text, and is known by where it goes', async () => {
  const attempts = new StampedAttempts()
  await during(attempts, undefined, { fleet: false }, () => {
    expect(attempts.has(undefined, seen(SERVICE, written), NAMES)).toBe(false)
    expect(attempts.likely(undefined, seen(SERVICE, {}))).toBeDefined()
  })
})

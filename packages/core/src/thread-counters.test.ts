import { expect, test } from 'vitest'
import { adopt } from './adopt.js'
import { carrierOf } from './carrier.js'
import { createKit } from './index.js'
import { rendezvous } from './rendezvous.js'
import { threadCounters } from './thread-counters.js'

const take = (clk: string): void => {
  const kit = createKit({ service: 'order', environment: 'test' })
  const carrier = carrierOf({ clk })
  adopt(kit, {
    kind: 'http',
    carrier,
    inbound: 'peer',
    peer: { remoteAddress: '127.0.0.1' },
    method: 'GET',
    url: '/',
  })
}

test('all kits of the thread count, those that nobody holds any more among them', () => {
  const before = threadCounters()
  take('alice')
  take('not a tag')
  const after = threadCounters()
  expect(after.adopted - before.adopted).toBe(2)
  expect(after.dropped.INVALID_CLK - before.dropped.INVALID_CLK).toBe(1)
  expect(after.dropped.OVER_LIMIT - before.dropped.OVER_LIMIT).toBe(0)
  expect(after.settled).toBe(before.settled)
})

test('a copy of another release counts under the names that both know', () => {
  const before = threadCounters()
  const others = { adopted: 3, parked: 7, dropped: { UNTRUSTED: 2, LATER: 9 } }
  rendezvous().counters?.push(others as never)
  const after = threadCounters()
  expect(after).toEqual({
    ...before,
    adopted: before.adopted + 3,
    dropped: { ...before.dropped, UNTRUSTED: before.dropped.UNTRUSTED + 2 },
  })
})

test('what it gives is the caller’s own', () => {
  const sum = threadCounters()
  sum.adopted += 100
  expect(threadCounters().adopted).toBe(sum.adopted - 100)
})

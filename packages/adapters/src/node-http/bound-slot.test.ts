import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { BOUND, bindEmit, readsSlot, type SlottedRequest } from './bound-slot.js'

const clkHere = (): string => tryCurrentWaybill()?.clk ?? 'none'

/** A request of this prototype, with a slot. */
function requestOf(prototype: object): IncomingMessage & SlottedRequest {
  const req: IncomingMessage & SlottedRequest = Object.assign(new IncomingMessage(new Socket()), {
    [BOUND]: undefined,
  })
  Object.setPrototypeOf(req, prototype)
  return req
}

/** What a listener sees, and whether there was one, the first time and the second. */
function emitted(req: IncomingMessage): readonly unknown[] {
  let seen = 'not called'
  req.once('own', (...args: unknown[]) => (seen = `${clkHere()} ${args.join()}`))
  const heard = [req.emit('own', 1, 2), req.emit('own')]
  return [seen, ...heard]
}

test('events run in the scope of the waybill in the slot, once there is one', () => {
  const prototype = Object.create(IncomingMessage.prototype) as object
  bindEmit(prototype)
  const req = requestOf(prototype)
  expect(readsSlot(req)).toBe(true)
  expect(emitted(req)).toEqual(['none 1,2', true, false])
  req[BOUND] = withWaybill({ clk: 'me' }, () => currentWaybill())
  expect(emitted(req)).toEqual(['me 1,2', true, false])
})

test('a prototype with an emit of its own and a frozen one are left alone', () => {
  const emit = (): boolean => true
  const own = Object.assign(Object.create(IncomingMessage.prototype) as object, { emit })
  const frozen = Object.freeze(Object.create(IncomingMessage.prototype) as object)
  for (const prototype of [own, frozen]) {
    bindEmit(prototype)
    expect(readsSlot(requestOf(prototype))).toBe(false)
  }
  expect(own.emit).toBe(emit)
})

test('a request without a slot emits as ever', () => {
  const prototype = Object.create(IncomingMessage.prototype) as object
  bindEmit(prototype)
  const req = new IncomingMessage(new Socket())
  Object.setPrototypeOf(req, prototype)
  expect(readsSlot(req)).toBe(false)
  expect(emitted(req)).toEqual(['none 1,2', true, false])
})

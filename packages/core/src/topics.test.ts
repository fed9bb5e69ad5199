import { describe, expect, test } from 'vitest'
import { isWaybillError } from './errors.js'
import { Topics } from './topics.js'

describe('trust.topics', () => {
  test('without it every topic is believed', () => {
    expect(new Topics(undefined).believes('orders')).toBe(true)
    expect(new Topics(undefined).believes(undefined)).toBe(true)
  })

  test.each([
    ['orders', true],
    ['orders.eu', false],
    ['shop.eu.paid', true],
    ['xshop.eu', false],
    ['shopXeu', false],
    [undefined, false],
  ])('of orders and shop.*, %s: %s', (topic, believed) => {
    expect(new Topics(['orders', 'shop.*']).believes(topic)).toBe(believed)
  })

  test('a hostile name costs no time', () => {
    expect(new Topics(['*a*a*a*b']).believes('a'.repeat(249))).toBe(false)
  })

  test.each(['', 'a b', 'ü', 'x'.repeat(250)])('%j is refused', (entry) => {
    try {
      new Topics([entry])
      expect.unreachable()
    } catch (error) {
      expect(isWaybillError(error) && error.code).toBe('ERR_WAYBILL_CONFIGURATION')
    }
  })
})

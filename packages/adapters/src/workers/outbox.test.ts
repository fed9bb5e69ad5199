import { expect, test } from 'vitest'
import { Outbox, type Letter } from './outbox.js'

interface Written extends Letter {
  baggage: string | undefined
}

test('what is added during a flush goes behind those that wait', () => {
  const posted: unknown[] = []
  const outbox = new Outbox(() => 'key')
  const letter = (name: string, also?: () => void): Written => ({
    baggage: '',
    deliver(key) {
      posted.push([name, key])
      also?.()
    },
    drop: () => posted.push('dropped'),
  })
  outbox.add(
    letter('first', () => {
      outbox.add(letter('last'))
      outbox.flush()
    }),
  )
  outbox.add(letter('second'))
  outbox.flush()
  expect(posted).toEqual([
    ['first', 'key'],
    ['second', 'key'],
    ['last', 'key'],
  ])
  expect(outbox.empty).toBe(true)
})

test('one that no interceptor has let through holds up those behind it, until nobody waits for it', () => {
  const posted: string[] = []
  const outbox = new Outbox(() => false)
  const letter = (name: string, baggage: string | undefined): Written => ({
    baggage,
    deliver: () => posted.push(name),
    drop: () => {},
  })
  const waiting = letter('waiting', undefined)
  outbox.add(waiting)
  outbox.add(letter('behind', ''))
  outbox.flush()
  expect(posted).toEqual([])
  outbox.remove(waiting)
  expect(posted).toEqual(['behind'])
})

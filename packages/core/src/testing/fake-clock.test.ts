import { describe, expect, test } from 'vitest'
import { systemClock } from '../clock.js'
import { fakeClock } from './fake-clock.js'

describe('a fake clock', () => {
  test('stands still, and goes on when told', () => {
    const clock = fakeClock(100)
    const wall = clock.wall()
    expect(clock.now()).toBe(100)
    clock.advance(50)
    expect([clock.now(), clock.wall() - wall]).toEqual([150, 50])
  })

  test('runs what falls due in order of time, at its time', () => {
    const clock = fakeClock()
    const ran: [string, number][] = []
    const log = (name: string) => (): void => void ran.push([name, clock.now()])
    clock.after(30, log('c'))
    clock.after(10, log('a'))
    clock.after(10, log('b'))
    const stop = clock.every(20, log('e'))
    const cancel = clock.after(25, log('never'))
    cancel()
    clock.after(10, () => clock.after(5, log('nested')))
    clock.advance(40)
    stop()
    clock.advance(100)
    expect(ran).toEqual([
      ['a', 10],
      ['b', 10],
      ['nested', 15],
      ['e', 20],
      ['c', 30],
      ['e', 40],
    ])
  })

  test('a repeating timer may end itself', () => {
    const clock = fakeClock()
    let runs = 0
    const stop = clock.every(0, () => {
      if (++runs === 3) stop()
    })
    clock.advance(100)
    expect(runs).toBe(3)
  })
})

test("the machine's clock keeps no process alive and can be cancelled", async () => {
  const ran: string[] = []
  systemClock.after(1, () => ran.push('after'))
  systemClock.after(1, () => ran.push('never'))()
  const stop = systemClock.every(1, () => ran.push('every'))
  await new Promise((resolve) => setTimeout(resolve, 30))
  stop()
  const count = ran.length
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(ran).toContain('after')
  expect(ran).not.toContain('never')
  expect(ran.filter((name) => name === 'every').length).toBeGreaterThan(1)
  expect(ran).toHaveLength(count)
  expect(Math.abs(systemClock.wall() - Date.now())).toBeLessThan(1000)
  expect(systemClock.now()).toBeLessThanOrEqual(performance.now())
})

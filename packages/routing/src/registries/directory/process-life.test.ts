import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { lifeOf, ownMark, readMark, seemsAlive } from './process-life.js'

test('this process lives; one with its number that started at another time does not', () => {
  expect(lifeOf(ownMark())).toBe('alive')
  expect(lifeOf({ ...ownMark(), started: '1' })).toBe('dead')
})

test('of another machine or container nothing is known, of before the last start of this one everything', () => {
  expect(lifeOf({ ...ownMark(), host: 'elsewhere', boot: 'another' })).toBe('foreign')
  expect(lifeOf({ ...ownMark(), namespace: 'pid:[1]' })).toBe('foreign')
  expect(lifeOf({ ...ownMark(), boot: 'another' })).toBe('dead')
})

test('a laptop that changed its name with the network still knows its processes', () => {
  expect(lifeOf({ ...ownMark(), host: 'alices-laptop.local' })).toBe('alive')
})

test('a process lives while it is stopped, and is dead as soon as it was killed, looked after or not', async () => {
  const child = spawn('sleep', ['60'])
  await once(child, 'spawn')
  const mark = { ...ownMark(), pid: child.pid ?? 0, started: '' }
  expect(lifeOf(mark)).toBe('alive')
  child.kill('SIGSTOP')
  await setTimeout(50)
  expect(lifeOf(mark)).toBe('alive')
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(lifeOf(mark)).toBe('dead'), { timeout: 2_000 })
  await vi.waitFor(() => expect(seemsAlive(mark.pid)).toBe(false), { timeout: 5_000 })
})

test('a zombie is dead, although a signal still finds it', async () => {
  // The shell becomes a program that never asks for the end of its child.
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'])
  const [text] = (await once(parent.stdout, 'data')) as [Buffer]
  const mark = { ...ownMark(), pid: Number(String(text)), started: '' }
  await vi.waitFor(() => expect(lifeOf(mark)).toBe('dead'), { timeout: 5_000 })
  expect(seemsAlive(mark.pid)).toBe(true)
  parent.kill('SIGKILL')
})

test('what is no mark is read as none', () => {
  expect(readMark(ownMark())).toEqual(ownMark())
  for (const pid of [0, -1, 1.5, '1', 2 ** 40, null]) expect(readMark({ ...ownMark(), pid })).toBeUndefined()
  for (const value of [
    null,
    7,
    'text',
    [],
    {},
    { ...ownMark(), host: 7 },
    { ...ownMark(), boot: 'x'.repeat(300) },
    { ...ownMark(), started: 'a\nb' },
  ]) {
    expect(readMark(value)).toBeUndefined()
  }
})

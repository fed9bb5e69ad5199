import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { taggedInstance, instanceOf } from '../../fixtures/instance-of.js'
import type { Instance } from '../../instance.js'
import type { LeaseRecord } from './lease-file.js'
import { LifeBook } from './life-book.js'
import { ownMark } from './process-life.js'

/** A process that has ended: its number may be given again, its start is another's. */
const deadPid = Number(execFileSync(process.execPath, ['-p', 'process.pid']))

const record = (instance: Instance, isAlive: boolean): LeaseRecord => ({
  token: instance.id,
  process: isAlive ? ownMark() : { ...ownMark(), pid: deadPid },
  instance,
})

test('an ended tagged instance is shown as none that can be called, until a living one has its address', () => {
  const book = new LifeBook()
  const ended = record(taggedInstance('alice', { host: '127.0.0.1', port: 7000 }), false)
  const shown = (): string[] => book.shown().map(({ id, enabled }) => `${id} ${String(enabled)}`)
  book.replace([ended], 0, () => false)
  expect(shown()).toEqual(['alice false'])
  const baseline = record(
    instanceOf({ id: 'plain', service: 'payment', host: 'localhost', port: 7000 }),
    true,
  )
  book.replace([ended, baseline], 1, () => false)
  expect(shown()).toEqual(['plain true'])
  book.replace([ended], 2, () => true)
  expect(shown()).toEqual(['alice false'])
})

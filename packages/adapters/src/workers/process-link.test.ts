import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { ProcessLink } from './process-link.js'

/** One end of an IPC channel whose other end is the test. */
class Channel extends EventEmitter {
  readonly said: unknown[] = []
  send(word: object): boolean {
    this.said.push({ ...word })
    return true
  }
  hear(word: object): void {
    this.emit('internalMessage', { cmd: 'NODE_WAYBILL_WORKERS_1', ...word })
  }
}

test('each copy of the package in a process that greets is answered, and is given the options', () => {
  const channel = new Channel()
  const link = new ProcessLink(channel, 'parent', () => 'options')
  for (const _copy of [1, 2]) {
    channel.said.length = 0
    channel.hear({ key: 'child' })
    channel.hear({ key: 'child', to: 'parent' })
    expect(channel.said).toMatchObject([
      { key: 'parent', to: 'child' },
      { key: 'parent', to: 'child', options: 'options' },
    ])
  }
  expect(link.peer).toBe('child')
  channel.said.length = 0
  channel.hear({ key: 'child', to: 'parent' })
  expect(channel.said).toEqual([])
})

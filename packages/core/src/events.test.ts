import { channel } from 'node:diagnostics_channel'
import { describe, expect, test } from 'vitest'
import { eventNames, hasSubscribers, publish, subscribe } from './events.js'

describe('channels', () => {
  test.each(eventNames)('%s is waybill:%s on diagnostics_channel, for whoever listens', (name) => {
    const seen: unknown[] = []
    const listener = (message: unknown): void => void seen.push(message)
    expect(hasSubscribers(name)).toBe(false)
    channel(`waybill:${name}`).subscribe(listener)
    expect(hasSubscribers(name)).toBe(true)
    const event = { any: name }
    publish(name, event as never)
    channel(`waybill:${name}`).unsubscribe(listener)
    publish(name, event as never)
    expect(seen).toEqual([event])
    expect(hasSubscribers(name)).toBe(false)
  })

  test('a subscription ends with its function, and only it', () => {
    const seen: string[] = []
    const first = subscribe('audit', () => seen.push('first'))
    const second = subscribe('audit', () => seen.push('second'))
    first()
    first()
    publish('audit', { action: 'x', facts: {} })
    second()
    publish('audit', { action: 'x', facts: {} })
    expect(seen).toEqual(['second'])
  })

  test('a listener that throws changes nothing for the publisher; Node reports it', async () => {
    const reported = new Promise((resolve) => {
      const others = process.listeners('uncaughtException')
      process.removeAllListeners('uncaughtException')
      process.once('uncaughtException', (error) => {
        for (const other of others) process.on('uncaughtException', other)
        resolve(error)
      })
    })
    const stop = subscribe('audit', () => {
      throw new Error('mine')
    })
    publish('audit', { action: 'x', facts: {} })
    stop()
    expect(await reported).toEqual(new Error('mine'))
  })
})

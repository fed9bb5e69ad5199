import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import winston from 'winston'
import { waybillFields } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { pinoWaybill } from './index.js'

const BOB = { clk: 'bob', shardKey: 'secret', hopCount: 1, depth: 3 }

/** Where a logger writes, and what it wrote. */
function page(): { stream: Writable; text(): string } {
  let text = ''
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      text += piece.toString()
      done()
    },
  })
  return { stream, text: () => text }
}

const lastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '')

test('a line says whose request it belongs to, and never its shard key', () => {
  const { stream, text } = page()
  const log = pino({ mixin: pinoWaybill() }, stream)
  withWaybill(BOB, () => {
    log.info({ item: 42 }, 'reserved')
  })
  expect(lastLine(text())).toMatchObject({ clk: 'bob', hopCount: 1, depth: 3, item: 42, msg: 'reserved' })
  expect(lastLine(text())).toHaveProperty('shardHash')
  expect(text()).not.toContain('secret')
})

test('also lines of child loggers and of frozen objects; a field of the line’s own wins', () => {
  const { stream, text } = page()
  const log = pino({ mixin: pinoWaybill() }, stream).child({ module: 'stock' })
  withWaybill(BOB, () => {
    log.warn(Object.freeze({ clk: 'mine' }), 'low')
  })
  expect(lastLine(text())).toMatchObject({ module: 'stock', clk: 'mine', depth: 3 })
})

test('outside of any request a line is as without the mixin', () => {
  const bare = page()
  const mixed = page()
  const options = { timestamp: false, base: null } as const
  pino(options, bare.stream).info({ item: 42 }, 'started')
  pino({ ...options, mixin: pinoWaybill() }, mixed.stream).info({ item: 42 }, 'started')
  expect(mixed.text()).toBe(bare.text())
})

test('winston, by a format', () => {
  const { stream, text } = page()
  const waybill = winston.format((info) => Object.assign(info, waybillFields()))
  const log = winston.createLogger({
    format: winston.format.combine(waybill(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream })],
  })
  withWaybill(BOB, () => log.info('reserved', { item: 42 }))
  expect(lastLine(text())).toMatchObject({ clk: 'bob', depth: 3, item: 42, message: 'reserved' })
  log.info('started')
  expect(lastLine(text())).toEqual({ level: 'info', message: 'started' })
})

test('console, by hand', () => {
  const { stream, text } = page()
  const console = new Console(stream)
  withWaybill(BOB, () => {
    console.log('reserved', waybillFields())
  })
  expect(text()).toMatch(/^reserved \{ clk: 'bob', hopCount: 1, depth: 3, shardHash: '/)
})

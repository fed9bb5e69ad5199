import { setTimeout as after } from 'node:timers/promises'
import { pino } from 'pino'
import { waybillFields } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { describe, expect, test } from 'vitest'
import { pinoWaybill } from './index.js'

// A mixin takes nothing in and sends nothing: of the adapter laws it can keep or break those about reading.
describe('pino, mixin', () => {
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)

  test('isolated: a hundred interleaved requests never log each other’s waybill', async () => {
    const log = pino({ mixin: pinoWaybill() }, { write })
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        withWaybill({ clk: `t${String(index)}` }, async () => {
          for (let turn = 0; turn < 5; turn++) {
            await after(Math.random() * 3)
            log.info({ own: `t${String(index)}` })
          }
        }),
      ),
    )
    log.info({})
    expect(lines).toHaveLength(501)
    expect(lines.slice(0, 500).filter(({ clk, own }) => clk !== own)).toEqual([])
    expect(lines.at(-1)).not.toHaveProperty('clk')
  })

  test('frozen-input: what is logged is not written to', () => {
    const logged = Object.freeze({ item: 42 })
    const mixin = pinoWaybill()
    withWaybill({ clk: 'me' }, () => {
      pino({ mixin }, { write }).info(logged)
      expect(mixin()).not.toBe(mixin())
      expect(mixin()).toEqual(waybillFields())
    })
    expect(logged).toEqual({ item: 42 })
    expect(lines.at(-1)).toMatchObject({ item: 42, clk: 'me' })
  })

  test('disabled-identity: where nothing is adopted nothing is added', () => {
    expect(pinoWaybill()()).toEqual({})
  })
})

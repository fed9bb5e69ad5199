import { createServer } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { pino, type Logger, type LoggerOptions } from 'pino'
import { createKit, waybillFields, type Kit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { describe, expect, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { waybillListener } from '../node-http/index.js'
import { pinoWaybill } from './index.js'

/** A logger and its lines. */
function logger(options: LoggerOptions): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
  return { log: pino({ base: null, timestamp: false, ...options }, { write }), lines }
}

// A mixin takes nothing in and sends nothing: of the adapter laws it can keep or break those about reading.
describe('pino, mixin', () => {
  test('isolated: a hundred interleaved requests never log each other’s waybill', async () => {
    const { log, lines } = logger({ mixin: pinoWaybill() })
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        withWaybill({ clk: `t${String(index)}` }, async () => {
          for (let turn = 0; turn < 5; turn++) {
            // Neighbours wait differently long, and each differently from turn to turn.
            await after((index * 7 + turn * 3) % 5)
            log.info({ own: `t${String(index)}` })
          }
        }),
      ),
    )
    log.info({})
    const own = lines.slice(0, 500)
    expect(lines).toHaveLength(501)
    expect(own.filter((line, at) => line['own'] === own[at - 1]?.['own']).length).toBeLessThan(50)
    expect(own.filter((line) => line['clk'] !== line['own'])).toEqual([])
    expect(lines.at(-1)).not.toHaveProperty('clk')
  })

  test('frozen-input: what is logged is not written to', () => {
    const logged = Object.freeze({ item: 42 })
    const mixin = pinoWaybill()
    const { log, lines } = logger({ mixin })
    withWaybill({ clk: 'me' }, () => {
      log.info(logged)
      expect(mixin()).not.toBe(mixin())
      expect(mixin()).toEqual(waybillFields())
    })
    expect(logged).toEqual({ item: 42 })
    expect(lines).toMatchObject([{ item: 42, clk: 'me' }])
  })

  test('disabled-identity: behind a disabled kit the lines are as without the mixin', async () => {
    const linesOf = async (kit: Kit, options: LoggerOptions): Promise<unknown[]> => {
      const { log, lines } = logger(options)
      const application = waybillListener(kit, (_req, res) => {
        log.info({ item: 42 }, 'reserved')
        res.end()
      })
      const port = await listen(createServer(application))
      await send(port, { headers: { clk: 'alice' } })
      return lines
    }
    const kit = createKit({ service: 'stock', environment: 'test', trust: { inbound: 'peer' } })
    const mixed = { mixin: pinoWaybill() }
    expect(await linesOf(kit, mixed)).toMatchObject([{ clk: 'alice', item: 42 }])
    kit.disable()
    expect(await linesOf(kit, mixed)).toEqual(await linesOf(kit, {}))
    expect(await linesOf(kit, mixed)).toEqual([{ level: 30, item: 42, msg: 'reserved' }])
  })
})

import { createKit } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { expectWritten } from '@waybill/conformance/table'
import { farServer, type FarServer, type Heard } from '@waybill/conformance/wire'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { httpClients } from '../../test/otel/http-clients.js'
import { cell, inAlicesRequest, InjectionTable, ways } from '../../test/otel/injection-table.js'
import { instrument } from '../../test/otel/instrument.js'
import { pooledUndici } from '../../test/otel/pooled-undici.js'
import { lineups } from '../../test/otel/sdk-lineups.js'
import { otelWaybill } from './index.js'

const ends: (() => void)[] = []
let service: FarServer
let stranger: FarServer

beforeAll(async () => {
  ;[service, stranger] = await Promise.all([farServer(), farServer()])
})
afterAll(() => Promise.all([service.close(), stranger.close()]))
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

/** Sends calls to services to the one server that there is. */
const route: Interceptor = (next) => (call) =>
  next(
    call.service === undefined
      ? call
      : { ...call, target: { host: '127.0.0.1', port: service.port, tls: false } },
  )

const last = ({ heard }: FarServer): Heard => heard.at(-1) as Heard

const clients = { ...httpClients, 'undici, pool': pooledUndici }
/** By `addHeader` of undici, whose name says it. */
const adding = Object.keys(clients).filter((name) => /fetch|undici/.test(name))
const table = new InjectionTable({ adding, pooled: ['undici, pool'] })

describe.each(Object.entries(clients))('%s', (client, { plain, of }) => {
  describe.each(ways)('%s', (way) => {
    test.each(lineups)('$name', async (lineup) => {
      const otel = otelWaybill()
      ends.push(otel.undo, lineup.register(otel.propagator))
      if (way !== 'by hand') ends.push(instrument(lineup.sdks))
      const kit = createKit({ service: 'order', environment: 'test', interceptors: [route] })
      const ask = way === 'instrumented' ? plain : of(kit)
      await inAlicesRequest(async () => {
        await ask(way === 'instrumented' ? `${service.origin}/` : 'http://inventory/')
        await ask(`${stranger.origin}/`)
      })
      const seen = cell(last(service), last(stranger))
      expect(seen).toBe(table.expected(client, way, lineup))
      table.note(client, way, lineup, seen)
    })
  })
})

test('the page says what was seen', async () => {
  await expectWritten('docs/opentelemetry.md', 'otel: injection', table.text())
})

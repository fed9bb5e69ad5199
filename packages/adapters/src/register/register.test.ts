import http, { Server } from 'node:http'
import net from 'node:net'
import { createKit, tryCurrentWaybill, type Kit } from '@waybill/core'
import { isWaybillError, threadKit } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { farServer } from '@waybill/conformance/wire'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { register } from './register.js'

const undos: (() => void)[] = []
beforeEach(() => {
  vi.stubEnv('WAYBILL_SERVICE', 'order')
  vi.stubEnv('WAYBILL_ENVIRONMENT', 'test')
})
afterEach(() => {
  for (const undo of undos.splice(0)) undo()
  vi.unstubAllEnvs()
  // The thread's kit, which the next one would go by.
  Reflect.set(shared(), 'kit', undefined)
})

const shared = (): object => Reflect.get(globalThis, Symbol.for('@waybill/core')) as object

function registered(): () => void {
  const undo = register()
  undos.push(undo)
  return undo
}

/** What is replaced, as it is now. */
const replaced = (): unknown[] => [
  http.request,
  http.get,
  net.connect,
  globalThis.fetch,
  Object.getOwnPropertyDescriptor(Server.prototype, 'emit'),
]

test('a kit is made of the environment, and adopts and carries', async () => {
  registered()
  const { facts } = threadKit(createKit)
  expect(facts).toMatchObject({ service: 'order', environment: 'test', inbound: 'peer' })
  const port = await listen(http.createServer((_req, res) => res.end(tryCurrentWaybill()?.clk)))
  // The test calls in this very process: to a host that nobody has named, nothing of ours goes.
  expect((await send(port, { headers: { baggage: 'clk=alice' } })).text).toBe('')
  vi.stubEnv('WAYBILL_OUTBOUND', '127.0.0.1')
  createKit()
  expect((await send(port, { headers: { clk: 'alice' } })).text).toBe('alice')
})

test('what cannot be used ends the start with what to set, and nothing was replaced', () => {
  const before = replaced()
  vi.stubEnv('WAYBILL_SERVICE', '')
  const error = (): unknown => {
    try {
      return registered()
    } catch (caught) {
      return caught
    }
  }
  const missing = error()
  expect(isWaybillError(missing) && missing.facts).toMatchObject({ option: 'service' })
  expect(String(missing)).toMatch(/WAYBILL_SERVICE=<name> .*docs\/register\.md#configuration/)
  vi.stubEnv('WAYBILL_SERVICE', 'order')
  vi.stubEnv('WAYBILL_ENVIRONMENT', 'prod')
  expect(String(error())).toMatch(/WAYBILL_INBOUND to public, edge or peer/)
  vi.stubEnv('WAYBILL_INBOUND', 'peer')
  expect(String(error())).toMatch(/WAYBILL_PEERS=10/)
  vi.stubEnv('WAYBILL_PEERS', '10.1.0.0/64')
  expect(String(error())).toMatch(/variable: WAYBILL_PEERS; entry: 10\.1\.0\.0\/64/)
  expect(replaced()).toEqual(before)
})

test('context open-telemetry/opentelemetry-js#4804 registered twice is registered once, and undone it can be registered again', () => {
  const before = replaced()
  const undo = registered()
  const once = replaced()
  expect(once).not.toEqual(before)
  expect(register()).toBe(undo)
  expect(replaced()).toEqual(once)
  undo()
  undo()
  expect(replaced()).toEqual(before)
  const again = registered()
  expect(again).not.toBe(undo)
  expect(replaced()).not.toEqual(before)
})

test('the kit that an application makes is the one from then on', async () => {
  const far = await farServer()
  onTestFinished(() => far.close())
  registered()
  const get = (): Promise<unknown> =>
    withWaybill({ clk: 'alice' }, () => fetch(far.origin).then((response) => response.text()))
  await get()
  expect(far.heard.at(-1)?.lines('clk')).toEqual([])
  const services = { far: { hosts: [`127.0.0.1:${String(far.port)}`] } }
  const own: Kit = createKit({ services })
  await get()
  expect(far.heard.at(-1)?.lines('clk')).toEqual(['alice'])
  expect(own.counters.injected).toBe(1)
})

test('a kit that was there before is the one', () => {
  const own = createKit({ service: 'other' })
  registered()
  expect(threadKit(createKit)).toBe(own)
})

test('disabled by the environment it does nothing', async () => {
  vi.stubEnv('WAYBILL_DISABLED', '1')
  vi.stubEnv('WAYBILL_OUTBOUND', '127.0.0.1')
  const events = recordEvents()
  onTestFinished(() => events.stop())
  registered()
  events.clear()
  const port = await listen(
    http.createServer((req, res) => res.end(JSON.stringify([tryCurrentWaybill()?.clk, req.headers.clk]))),
  )
  const headers = { clk: 'Alice' }
  expect((await send(port, { headers })).text).toBe('[null,"Alice"]')
  const response = await fetch(`http://127.0.0.1:${String(port)}`, { headers })
  expect(await response.text()).toBe('[null,"Alice"]')
  expect(events.all).toEqual([])
})

test('undone beneath what somebody has put around it, it hands on', async () => {
  vi.stubEnv('WAYBILL_OUTBOUND', '127.0.0.1')
  const before: typeof http.request = Reflect.get(http, 'request')
  const undo = registered()
  const ours: typeof http.request = Reflect.get(http, 'request')
  Reflect.set(http, 'request', (...args: Parameters<typeof ours>) => ours(...args))
  onTestFinished(() => void Reflect.set(http, 'request', before))
  undo()
  const far = await farServer()
  onTestFinished(() => far.close())
  await withWaybill(
    { clk: 'alice' },
    () =>
      new Promise((resolve) =>
        http.request(far.origin, (response) => response.resume().on('end', resolve)).end(),
      ),
  )
  expect(far.heard[0]?.lines('baggage')).toEqual([])
})

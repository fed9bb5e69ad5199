import { setFlagsFromString } from 'node:v8'
import { runInNewContext, runInThisContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { adopt } from './adopt.js'
import { HttpCarrier } from './carrier.js'
import { createKit, currentWaybill } from './index.js'
import { withWaybill } from './testing.js'
import { EMPTY_FACTS, WaybillRecord } from './waybill.js'

setFlagsFromString('--expose-gc')
setFlagsFromString('--allow-natives-syntax')
const collect = runInNewContext('gc') as () => void

const kit = createKit({ service: 'order', environment: 'test', fields: { paint: {} } })

/** Collects until it is quiet: weak references are cleared between turns. */
async function settle(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return process.memoryUsage().heapUsed
}

interface FakeRequest {
  readonly headers: Record<string, string>
  readonly socket: { readonly remoteAddress: string; readonly destroyed: boolean }
  readonly body: Uint8Array
}

function serve(at: number, handler: () => void): WeakRef<FakeRequest> {
  const request: FakeRequest = {
    headers: { clk: `c${at}`, 'x-shard-key': String(at), accept: '*/*'.padEnd(100, ' ') },
    socket: { remoteAddress: '127.0.0.1', destroyed: false },
    body: new Uint8Array(10_000),
  }
  const { headers, socket } = request
  const arrival = {
    carrier: new HttpCarrier(headers),
    inbound: 'peer',
    peer: socket,
    method: 'GET',
    url: '/',
  } as const
  adopt(kit, { kind: 'http', ...arrival }).run(handler)
  return new WeakRef(request)
}

describe('what outlives a request', () => {
  test(
    'context nestjs/throttler#2629 a thousand timers of 60 s keep no request',
    { timeout: 30_000 },
    async () => {
      const timers: NodeJS.Timeout[] = []
      const requests = Array.from({ length: 1000 }, (_, at) =>
        serve(at, () => timers.push(setTimeout(() => currentWaybill(), 60_000))),
      )
      await settle()
      expect(requests.filter((request) => request.deref() !== undefined)).toHaveLength(0)
      for (const timer of timers) clearTimeout(timer)
    },
  )

  test(
    'context Jeff-Lewis/cls-hooked#63 a hundred thousand runs leave the heap as it was',
    { timeout: 60_000 },
    async () => {
      const runs = async (count: number): Promise<number> => {
        for (let at = 0; at < count; at++) {
          await withWaybill({ clk: 'a', shardKey: String(at) }, () =>
            Promise.resolve(currentWaybill().shardKey),
          )
        }
        return settle()
      }
      const before = await runs(10_000)
      const after = await runs(100_000)
      expect(after - before).toBeLessThan(3_000_000)
    },
  )
})

test('every waybill has one shape, however it was made and whatever was looked at', () => {
  const haveSameMap = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean
  const made: object[] = [new WaybillRecord(EMPTY_FACTS)]
  for (const headers of [
    {},
    { clk: 'a' },
    { baggage: 'clk=b,shard-key=7,waybill-depth=3' },
    { clk: 'a_b' },
  ]) {
    serve(0, () => made.push(currentWaybill(), currentWaybill().with({ fields: { paint: 'red' } })))
    const arrival = {
      carrier: new HttpCarrier(headers),
      inbound: 'peer',
      peer: undefined,
      method: 'GET',
      url: '/',
    } as const
    made.push(adopt(kit, { kind: 'http', ...arrival }).waybill)
  }
  kit.detached(() => made.push(currentWaybill()))()
  expect(made.length).toBeGreaterThan(10)
  for (const waybill of made) expect(haveSameMap(made[0]!, waybill)).toBe(true)
})

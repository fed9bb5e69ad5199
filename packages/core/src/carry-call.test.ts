import { afterEach, expect, test } from 'vitest'
import type { Interceptor } from './call.js'
import { carryCall, openCallSeam, type CarriedCall } from './carry-call.js'
import { createKit, type Kit } from './kit.js'
import type { OutgoingRequest } from './outgoing-call.js'
import { performCall } from './perform-call.js'
import { runOutside } from './scope.js'
import { recordEvents, withWaybill } from './testing.js'

const closeSeam = openCallSeam()
const events = recordEvents()
afterEach(() => {
  events.clear()
})

const kit = (interceptors: readonly Interceptor[] = []): Kit =>
  createKit({ service: 'order', environment: 'test', interceptors })

const outgoing = (headers: Readonly<Record<string, string>> = {}, host = 'inventory'): OutgoingRequest => ({
  kind: 'http',
  url: new URL(`http://${host}/stock`),
  method: 'GET',
  headers: (name) => headers[name],
  body: 'none',
  idempotent: true,
})

test('a call is stamped at once, as by an adapter', () => {
  withWaybill({ clk: 'alice', shardKey: '7', depth: 1 }, () => {
    const call = carryCall(kit(), outgoing({ baggage: 'team=red,clk=bob' }))
    expect(call?.fleet).toBe(true)
    expect(call?.stamp.set).toEqual([
      ['clk', 'alice'],
      ['x-shard-key', '7'],
      ['baggage', 'clk=alice,shard-key=7,waybill-depth=2,team=red'],
    ])
  })
})

test('in no scope the caller’s headers count, unless nobody knows whose they are', () => {
  const headers = { clk: 'bob', baggage: 'clk=bob,team=red' }
  const carried = (): CarriedCall | undefined => carryCall(kit(), outgoing(headers))
  expect(runOutside('Nothing.', carried)?.stamp.set).toContainEqual(['clk', 'bob'])
  expect(runOutside('Nothing.', carried, { callersCount: false })?.stamp).toEqual({
    set: [['baggage', 'waybill-depth=1,team=red']],
    remove: ['clk'],
  })
})

test('a stranger gets nothing of ours, and what the caller has put there is taken out and counted', () => {
  const used = kit()
  const headers = { clk: 'alice', baggage: 'clk=alice' }
  const call = carryCall(used, outgoing(headers, 'far.example'))
  expect(call?.fleet).toBe(false)
  expect(call?.stamp).toEqual({ set: [], remove: ['clk', 'baggage'] })
  expect(used.counters.injected).toBe(0)
  expect(events.of('dropped').map(({ reason }) => reason)).toEqual(['LEAVES_FLEET'])
})

test('it ends once, with an answer or an error, and is told of like any other', () => {
  const used = kit()
  const answered = carryCall(used, outgoing())
  const head = { status: 200, header: () => undefined }
  answered?.answered(head)
  answered?.answered(head)
  answered?.failed(new Error('too late'))
  const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  carryCall(used, outgoing())?.failed(error)
  expect(events.all.map(({ name }) => name)).toEqual(['injected', 'settled', 'injected', 'settled'])
  expect(events.of('settled')).toMatchObject([
    { service: 'inventory', status: 200, error: undefined, sent: 'yes' },
    { service: 'inventory', status: undefined, error, sent: 'no' },
  ])
  expect(used.counters).toMatchObject({ injected: 2, settled: 2, failed: 1 })
})

test('no interceptor is asked, and one that is too deep is refused', () => {
  const never: Interceptor = () => () => {
    throw new Error('asked')
  }
  const used = kit([never])
  withWaybill({ clk: 'alice', depth: 32 }, () => {
    expect(() => carryCall(used, outgoing())).toThrow(expect.objectContaining({ code: 'ERR_WAYBILL_LOOP' }))
  })
  expect(used.counters).toMatchObject({ injected: 0, refused: 1 })
  expect(events.of('refused')).toMatchObject([{ code: 'ERR_WAYBILL_LOOP', service: 'inventory' }])
})

/** What a seam below the client sees of a call that an adapter sends. */
async function below(used: Kit, look = (see: () => unknown): unknown => see()): Promise<unknown> {
  let seen: unknown = 'nothing'
  await performCall(used, outgoing(), async (_call, { set }) => {
    seen = look(() => carryCall(used, outgoing(Object.fromEntries(set))))
    return { status: 200, header: () => undefined, value: undefined, done: Promise.resolve() }
  })
  return seen
}

test('what an adapter sends is left alone, in a scope and in none, whichever kit it has', async () => {
  const used = kit()
  expect(await below(used)).toBeUndefined()
  expect(await withWaybill({ clk: 'alice' }, () => below(used))).toBeUndefined()
  expect(used.counters.injected).toBe(2)
})

test('so it is where nobody knows any more who has made the call', async () => {
  const used = kit()
  const asNobody = (see: () => unknown): unknown => runOutside('Nothing.', see, { callersCount: false })
  expect(await withWaybill({ clk: 'alice' }, () => below(used, asNobody))).toBeUndefined()
})

test('a copy of an outsider’s headers is none of an adapter’s, though its baggage is what that writes', async () => {
  const used = kit()
  const copied = { clk: 'alice', 'x-shard-key': '42', baggage: 'clk=alice,waybill-depth=1' }
  await withWaybill({ clk: 'alice' }, () =>
    performCall(used, outgoing(), async () => {
      for (const host of ['inventory', 'shipping']) {
        expect(carryCall(used, outgoing(copied, host))?.stamp, host).toEqual({
          set: [
            ['clk', 'alice'],
            ['baggage', 'clk=alice,waybill-depth=1'],
          ],
          remove: ['x-shard-key'],
        })
      }
      return { status: 200, header: () => undefined, value: undefined, done: Promise.resolve() }
    }),
  )
})

test.each([
  ['far.example', { set: [['baggage', 'team=red']], remove: ['clk'] }],
  ['inventory', { set: [['baggage', 'waybill-depth=1,team=red']], remove: ['clk'] }],
])(
  'a call to %s that may be the one that an adapter is sending there is stamped again, and told once',
  async (host, stamp) => {
    const used = kit()
    const copied = { clk: 'mallory', baggage: 'clk=mallory,team=red' }
    await withWaybill({}, () =>
      performCall(used, outgoing({}, host), async () => {
        const call = carryCall(used, outgoing(copied, host))
        expect(call?.stamp).toEqual(stamp)
        const head = { status: 200, header: () => undefined }
        call?.answered(head)
        return { ...head, value: undefined, done: Promise.resolve() }
      }),
    )
    expect(used.counters).toMatchObject({ injected: host === 'inventory' ? 1 : 0, settled: 1 })
  },
)

test('an interceptor’s word is left alone, too', async () => {
  const asBob: Interceptor = (next) => (call) => next({ ...call, waybill: call.waybill.with({ clk: 'bob' }) })
  expect(await withWaybill({ clk: 'alice' }, () => below(kit([asBob])))).toBeUndefined()
})

test('a seam that is closed, even twice, takes nothing from another one', async () => {
  const closeOther = openCallSeam()
  closeOther()
  closeOther()
  expect(await below(kit())).toBeUndefined()
})

test('when the last seam is closed nobody keeps count of attempts', async () => {
  closeSeam()
  expect(await below(kit())).toMatchObject({ fleet: true })
})

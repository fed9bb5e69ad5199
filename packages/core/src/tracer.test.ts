import { afterEach, describe, expect, test } from 'vitest'
import { adopt } from './adopt.js'
import { carrierOf } from './carrier.js'
import { currentWaybill, tryCurrentWaybill } from './index.js'
import { createKit } from './kit.js'
import { listenerInbound } from './listener-inbound.js'
import type { OutgoingCall } from './outgoing-call.js'
import { performCall } from './perform-call.js'
import type { Stamp } from './stamp.js'
import { withWaybill } from './testing.js'
import { baggageWith, siftBaggage } from './thread-baggage.js'
import { installTracer, type Tracer } from './tracer.js'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

/** A tracer that does nothing but what is said. */
function install(said: Partial<Tracer> = {}): () => void {
  const undo = installTracer({
    beside() {},
    adopted() {},
    baggage: () => '',
    overwrites: () => false,
    sending: (send) => send(),
    ...said,
  })
  ends.push(undo)
  return undo
}

const kit = createKit({ service: 'order', environment: 'test' })
const arrival = (headers: Record<string, string> = {}) =>
  ({
    kind: 'http',
    inbound: 'peer',
    peer: { remoteAddress: '127.0.0.1' },
    method: 'GET',
    url: '/',
    carrier: carrierOf(headers),
  }) as const

async function stampOf(
  outgoing: Partial<OutgoingCall> = {},
  headers: Record<string, string> = {},
): Promise<Stamp> {
  let seen: Stamp | undefined
  const call = {
    kind: 'http',
    url: new URL('http://inventory/'),
    method: 'GET',
    headers: (name: string) => headers[name],
    body: 'none',
    idempotent: true,
    ...outgoing,
  } as OutgoingCall
  await performCall(kit, call, (_call, stamp) => {
    seen = stamp
    return Promise.resolve({ header: () => undefined, value: undefined, done: Promise.resolve() })
  })
  return seen as Stamp
}
const baggageOf = ({ set }: Stamp): string | undefined => set.find(([name]) => name === 'baggage')?.[1]
const STRANGER = { url: new URL('http://example.com/') }

describe('what a tracer adds to a call', () => {
  test('comes behind ours and the caller’s, under names that are not taken', async () => {
    install({ baggage: () => 'a=1,b=2' })
    const stamp = await withWaybill({ clk: 'me' }, () => stampOf({}, { baggage: 'b=9,c=3' }))
    expect(baggageOf(stamp)).toBe('clk=me,waybill-depth=1,b=9,c=3,a=1')
    expect(baggageOf(await withWaybill({}, stampOf))).toBe('waybill-depth=1,a=1,b=2')
  })

  test('goes to a host outside of the fleet, too, without ours', async () => {
    install({ baggage: () => 'a=1' })
    expect(await stampOf(STRANGER)).toEqual({ set: [['baggage', 'a=1']], remove: [] })
    expect(baggageOf(await stampOf(STRANGER, { baggage: 'clk=me,b=2' }))).toBe('b=2,a=1')
  })

  test('goes with a message and not with a task', async () => {
    install({ baggage: () => 'a=1' })
    expect(baggageOf(await stampOf({ kind: 'message', topic: 'orders' }))).toBe('waybill-depth=1,a=1')
    expect(baggageOf(await stampOf({ kind: 'task' }))).toBe('waybill-depth=0')
  })

  test('nothing changes nothing', async () => {
    install()
    expect(await stampOf(STRANGER, { baggage: ' a=1 ,, b=2' })).toEqual({ set: [], remove: [] })
    expect(baggageOf(await stampOf())).toBe('waybill-depth=1')
  })
})

describe('where a tracer overwrites baggage', () => {
  const clkOf = ({ set }: Stamp): string | undefined => set.find(([name]) => name === 'clk')?.[1]

  test('a call of an untagged arrival says so by an empty clk, in the fleet alone', async () => {
    install({ overwrites: () => true })
    const said = await adopt(kit, arrival()).run(() => Promise.all([stampOf(), stampOf(STRANGER)]))
    expect(said.map(clkOf)).toEqual(['', undefined])
  })

  test('one of a tagged arrival, of no arrival, or beside no such tracer, does not', async () => {
    const undo = install({ overwrites: () => true })
    expect(clkOf(await adopt(kit, arrival({ clk: 'alice' })).run(stampOf))).toBe('alice')
    expect(clkOf(await withWaybill({}, stampOf))).toBeUndefined()
    expect(clkOf(await stampOf())).toBeUndefined()
    undo()
    expect(clkOf(await adopt(kit, arrival()).run(stampOf))).toBeUndefined()
  })

  test('a message bears the dedicated headers as well, whose baggage may not be ours when it arrives', async () => {
    const orders = { kind: 'message', topic: 'orders' } as const
    const undo = install({ overwrites: () => true })
    const names = ({ set }: Stamp): string[] => set.map(([name]) => name)
    const tagged = adopt(kit, arrival({ clk: 'alice', 'x-shard-key': '7' }))
    expect(names(await tagged.run(() => stampOf(orders)))).toEqual(['clk', 'x-shard-key', 'baggage'])
    expect(clkOf(await adopt(kit, arrival()).run(() => stampOf(orders)))).toBe('')
    undo()
    expect(names(await tagged.run(() => stampOf(orders)))).toEqual(['baggage'])
  })

  test('an empty clk of the caller’s own does not come twice', async () => {
    install({ overwrites: () => true })
    const { set, remove } = await adopt(kit, arrival()).run(() => stampOf({}, { clk: 'bob' }))
    expect(set.filter(([name]) => name === 'clk')).toEqual([['clk', '']])
    expect(remove).toEqual(['clk'])
  })
})

test('each attempt is sent through it', async () => {
  let sent = 0
  install({
    sending(send) {
      sent++
      return send()
    },
  })
  await stampOf()
  expect(sent).toBe(1)
})

test('it hears of an arrival in its scope, before the handler', () => {
  const order: unknown[] = []
  install({ adopted: (kind) => order.push([kind, currentWaybill().clk]) })
  adopt(kit, arrival({ clk: 'alice' })).run(() => order.push('handler'))
  expect(order).toEqual([['http', 'alice'], 'handler'])
  expect(tryCurrentWaybill()).toBeUndefined()
})

describe('it may refuse to stand beside', () => {
  const seen: string[] = []
  const refusing: Partial<Tracer> = {
    beside(inbound) {
      seen.push(inbound)
      if (inbound === 'public') throw new Error('not beside me')
    },
  }

  test('a kit that comes later, and a listener of it', () => {
    install(refusing)
    expect(() => createKit({ service: 'order', environment: 'test', trust: { inbound: 'public' } })).toThrow(
      'not beside me',
    )
    expect(() => listenerInbound(kit, 'public')).toThrow('not beside me')
    expect(listenerInbound(kit, undefined)).toBe('peer')
    expect(seen).toEqual(['peer', 'public', 'public', 'peer'])
  })

  test('a kit that was first; then it is not there', () => {
    createKit({ service: 'order', environment: 'test', trust: { inbound: 'public' } })
    expect(() => install(refusing)).toThrow('not beside me')
    expect(listenerInbound(kit, 'public')).toBe('public')
  })
})

test('undo restores the one before', async () => {
  createKit({ service: 'order', environment: 'test' })
  install({ baggage: () => 'first=1' })
  const undo = install({ baggage: () => 'second=2' })
  expect(baggageOf(await stampOf())).toBe('waybill-depth=1,second=2')
  undo()
  undo()
  expect(baggageOf(await stampOf())).toBe('waybill-depth=1,first=1')
})

test('undone in the order of installing, none is left', async () => {
  const undos = ['first=1', 'second=2'].map((members) => install({ baggage: () => members }))
  undos[0]?.()
  expect(baggageOf(await stampOf())).toBe('waybill-depth=1,second=2')
  undos[1]?.()
  expect(baggageOf(await stampOf())).toBe('waybill-depth=1')
})

describe('baggage by the names of the thread’s kit', () => {
  test('is sifted and written', () => {
    createKit({ service: 'order', environment: 'test', names: { clk: { baggage: 'lane' } } })
    expect(siftBaggage('a=1;p, LANE=x ,%63lk=y,waybill-depth=3,b')).toEqual({
      own: 'LANE=x,%63lk=y,waybill-depth=3',
      foreign: 'a=1;p,b',
    })
    expect(siftBaggage(' a=1 ,, b=2')).toEqual({ own: '', foreign: ' a=1 ,, b=2' })
    withWaybill({ clk: 'me' }, () => {
      expect(baggageWith(currentWaybill(), 'a=1,clk=x')).toBe('lane=me,waybill-depth=1,a=1')
    })
    expect(baggageWith(undefined, 'a=1')).toBe('a=1')
  })

  test('of a disabled kit it is the foreign alone', () => {
    createKit({ service: 'order', environment: 'test' }).disable()
    withWaybill({ clk: 'me' }, () => {
      expect(baggageWith(currentWaybill(), 'a=1')).toBe('a=1')
    })
  })
})

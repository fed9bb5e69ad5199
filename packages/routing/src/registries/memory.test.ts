import { beforeEach, describe, expect, test } from 'vitest'
import { fakeClock, recordEvents } from '@waybill/core/testing'
import type { FakeClock } from '@waybill/core/testing'
import type { Instance } from '../instance.js'
import type { Registry } from '../registry.js'
import type { LeaseLink, LinkListener } from './leases/lease-link.js'
import { LeaseRegistry } from './leases/lease-registry.js'
import { memoryRegistry } from './memory.js'
import { MemoryServer } from './memory/memory-server.js'

const TTL_MS = 10_000
const STEP_MS = 100

let clock: FakeClock
let server: MemoryServer
beforeEach(() => {
  clock = fakeClock()
  server = new MemoryServer({ clock, ttlMs: TTL_MS })
})

/** Time in small steps, so that answers arrive in between. */
const pass = async (ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    clock.advance(Math.min(STEP_MS, ms - passed))
    await new Promise((resolve) => setImmediate(resolve))
  }
}
const instance = (fields: Partial<Instance> = {}): Instance => ({
  id: 'a',
  environment: 'test',
  service: 'inventory',
  host: '127.0.0.1',
  port: 4000,
  clks: [],
  weight: 1,
  enabled: true,
  metadata: {},
  ...fields,
})
const over = (link: LeaseLink): Registry => {
  const registry = new LeaseRegistry({ link, life: 'beats', clock, random: () => 0.5 })
  registry.open('test')
  return registry
}
const ids = (registry: Registry): string[] => [...registry.index('inventory')].map(({ id }) => id)

describe('memoryRegistry', () => {
  test('holds what it was given from the beginning, at once and without a lease', async () => {
    const registry = memoryRegistry({
      instances: [instance(), instance({ id: 'b', port: 4001, environment: 'staging' })],
    })
    registry.open('test')
    expect(ids(registry)).toEqual(['a'])
    expect(registry.life).toBe('process')
    await registry.ready('inventory')
    await registry.close()
  })

  test('another environment, or any after it was closed, is refused', async () => {
    const registry = memoryRegistry()
    expect(() => registry.index('inventory')).toThrow(/ERR_WAYBILL_REGISTRY/)
    registry.open('test')
    registry.open('test')
    expect(() => {
      registry.open('staging')
    }).toThrow(/open for test.*ERR_WAYBILL_REGISTRY/)
    await expect(registry.register(instance({ environment: 'staging' }))).rejects.toThrow(
      /ERR_WAYBILL_REGISTRY/,
    )
    await registry.close()
    expect(registry.closed).toBe(true)
    expect(() => {
      registry.open('test')
    }).toThrow(/closed.*ERR_WAYBILL_REGISTRY/)
  })

  test('a tagged instance without owner is refused', async () => {
    const registry = memoryRegistry()
    registry.open('test')
    await expect(registry.register(instance({ clks: ['alice'] }))).rejects.toThrow(
      /owner.*ERR_WAYBILL_INVALID_VALUE/,
    )
  })
})

describe('the lease of a holder', () => {
  test('routing-85: ends its time after the last acknowledged beat was sent, not after the answer', async () => {
    let delayMs = 0
    const link = server.link()
    const delayed = async <T>(step: () => Promise<T>): Promise<T> => {
      const answer = await step()
      await new Promise<void>((resolve) => (delayMs === 0 ? resolve() : clock.after(delayMs, resolve)))
      return answer
    }
    const registry = over({ ...link, beat: async (token) => delayed(() => link.beat(token)) })
    const lease = await registry.register(instance())
    // One beat is answered late, by four seconds; all others fail.
    delayMs = 4_000
    await pass(TTL_MS / 3 + STEP_MS)
    server.reachable = false
    const sentAt = TTL_MS / 3
    await pass(sentAt + TTL_MS - clock.now() - STEP_MS)
    expect(lease.state).toBe('held')
    await pass(2 * STEP_MS)
    expect(lease.state).toBe('lost')
  })

  test('routing-84: is lost by its own clock where no packet comes through', async () => {
    const events = recordEvents(['audit'])
    const link = server.link()
    const registry = over({ ...link, beat: () => new Promise(() => {}) })
    await registry.register(instance())
    await pass(TTL_MS + STEP_MS)
    expect(events.of('audit').map(({ action, facts }) => [action, facts['cause']])).toEqual([
      ['lease-lost', 'expired'],
    ])
    events.stop()
  })

  test('routing-63: after a sleep it is registered again with the same clk, lost and then restored', async () => {
    const events = recordEvents(['audit'])
    const registry = over(server.link())
    const other = over(server.link())
    const lease = await registry.register(instance({ clks: ['alice'], owner: 'alice' }))
    // The process sleeps: half an hour passes in one step, and no timer of it has run meanwhile.
    clock.advance(1_800_000)
    await pass(TTL_MS)
    expect(lease.state).toBe('held')
    expect([...other.index('inventory')]).toMatchObject([{ id: 'a', clks: ['alice'], owner: 'alice' }])
    expect(events.of('audit').map(({ action }) => action)).toEqual(['claim', 'lease-lost', 'lease-restored'])
    events.stop()
  })

  test('routing-63: whose tag was taken meanwhile is refused with the name of the holder', async () => {
    const events = recordEvents(['audit'])
    let asleep = false
    const link = server.link()
    const registry = over({
      ...link,
      beat: async (token) => (asleep ? Promise.reject(new Error()) : link.beat(token)),
    })
    const lease = await registry.register(instance({ clks: ['alice'], owner: 'alice' }))
    asleep = true
    await pass(2 * TTL_MS)
    await over(server.link()).register(instance({ id: 'b', port: 4001, clks: ['alice'], owner: 'bob' }))
    asleep = false
    await pass(TTL_MS)
    expect(lease.state).toBe('revoked')
    expect(events.of('audit').at(-1)).toMatchObject({
      action: 'lease-lost',
      facts: { cause: 'taken', holder: 'bob' },
    })
    events.stop()
  })

  test('routing-77: one timer beats and registers again, however often the registry forgets', async () => {
    let requests = 0
    const link = server.link()
    const registry = over({
      ...link,
      beat: async (token) => {
        requests += 1
        return link.beat(token)
      },
    })
    await registry.register(instance())
    for (let round = 0; round < 5; round += 1) {
      server.forget()
      await pass(TTL_MS)
    }
    requests = 0
    await pass(3 * TTL_MS)
    expect(requests).toBeGreaterThanOrEqual(8)
    expect(requests).toBeLessThanOrEqual(10)
  })
})

describe('the view of a reader', () => {
  test('routing-64: ten leases without the registry change nothing but the mark', async () => {
    server.add(instance())
    const registry = over(server.link())
    server.reachable = false
    await pass(10 * TTL_MS)
    expect(ids(registry)).toEqual(['a'])
    expect(registry.index('inventory').stale).toBe(true)
    expect(registry.index('another').stale).toBe(true)
  })

  test('routing-69, routing-86: what no event told is found by the next resync, within one lease', async () => {
    const link = server.link()
    // A watch that says it stands, and tells nothing.
    const deaf = (listener: LinkListener): LinkListener => ({ ...listener, changed: () => {} })
    const registry = over({
      ...link,
      connect: (environment, listener) => link.connect(environment, deaf(listener)),
    })
    server.add(instance())
    expect(ids(registry)).toEqual([])
    await pass(TTL_MS)
    expect(ids(registry)).toEqual(['a'])
    server.expire('a')
    server.add(instance({ port: 4001 }))
    await pass(TTL_MS)
    expect([...registry.index('inventory')]).toMatchObject([{ id: 'a', port: 4001 }])
  })

  test('routing-89: a reconnect without a change calls nobody', async () => {
    server.add(instance())
    const registry = over(server.link())
    const told: string[] = []
    registry.watch('inventory', ({ kind }) => told.push(kind))
    for (let round = 0; round < 10; round += 1) {
      server.reachable = false
      await pass(1_000)
      server.reachable = true
      await pass(40_000)
    }
    expect(registry.index('inventory').stale).toBe(false)
    expect(told).toEqual([])
  })

  test('routing-90: a link that flaps is asked with growing pauses, and one watch stands at a time', async () => {
    const at: number[] = []
    let standing = 0
    let most = 0
    const link = server.link()
    const registry = over({
      ...link,
      connect(environment, listener) {
        at.push(clock.now())
        const watch = link.connect(environment, listener)
        standing += 1
        most = Math.max(most, standing)
        return {
          resync: () => {
            watch.resync()
          },
          close: () => {
            standing -= 1
            watch.close()
          },
        }
      },
    })
    server.reachable = false
    await pass(120_000)
    const pauses = at.slice(1).map((time, index) => time - at[index]!)
    expect(pauses.length).toBeLessThan(20)
    for (let index = 1; index < pauses.length; index += 1)
      expect(pauses[index]).toBeGreaterThanOrEqual(pauses[index - 1]!)
    expect(most).toBe(1)
    server.reachable = true
    await pass(40_000)
    expect(standing).toBe(1)
    await registry.close()
    expect(standing).toBe(0)
  })

  test('routing-92: a removal that the end of the connection follows counts only after the next snapshot', async () => {
    server.add(instance())
    const link = server.link()
    let listener: LinkListener | undefined
    const registry = over({
      ...link,
      connect(environment, own) {
        listener = own
        return link.connect(environment, own)
      },
    })
    listener?.changed({ remove: ['a'] })
    expect(ids(registry)).toEqual([])
    listener?.broken(new Error('connection lost'))
    expect(ids(registry)).toEqual(['a'])
    expect(registry.index('inventory').stale).toBe(true)
    server.expire('a')
    await pass(1_000)
    expect(ids(registry)).toEqual([])
  })

  test('ready waits for the first snapshot, or until it is known that none can be had', async () => {
    const link = server.link()
    let listener: LinkListener | undefined
    const registry = over({
      ...link,
      connect(_environment, own) {
        listener = own
        return { resync: () => {}, close: () => {} }
      },
    })
    const aborted = registry.ready('inventory', AbortSignal.abort(new Error('too late')))
    await expect(aborted).rejects.toThrow('too late')
    const controller = new AbortController()
    const givenUp = registry.ready('inventory', controller.signal)
    controller.abort(new Error('given up'))
    await expect(givenUp).rejects.toThrow('given up')
    const ready = registry.ready('inventory')
    listener?.snapshot({ size: 0, instances: [instance()], holders: new Map() })
    await ready
    expect(ids(registry)).toEqual(['a'])
  })

  test('what cannot be read is dropped and counted', () => {
    const link = server.link()
    const registry = over({
      ...link,
      connect(_environment, listener) {
        const hostile = [{ id: 'x' }, null, { ...instance({ id: 'y' }), clks: ['alice', 'b_b'] }] as never
        listener.snapshot({ size: 0, instances: [instance(), ...hostile], holders: new Map() })
        return { resync: () => {}, close: () => {} }
      },
    })
    expect(ids(registry)).toEqual(['a'])
    expect(registry.dropped).toBe(3)
  })
})

test('a lease ends though its timer rings a moment before its time', async () => {
  let now = 0
  const alarms: (() => void)[] = []
  const early = {
    ...{ now: () => now, wall: () => now, every: () => () => {} },
    after(_ms: number, fn: () => void) {
      alarms.push(fn)
      return () => {}
    },
  }
  const hasty = new MemoryServer({ clock: early, ttlMs: TTL_MS })
  await hasty.link().register(instance())
  now = TTL_MS - 0.3
  alarms.shift()?.()
  expect(hasty.instances('test')).toHaveLength(1)
  now = TTL_MS
  alarms.shift()?.()
  expect(hasty.instances('test')).toHaveLength(0)
})

import { fakeClock } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { decide } from './decide.js'
import { instanceOf } from './fixtures/instance-of.js'
import { ManualTurns } from './fixtures/manual-turns.js'
import type { Instance } from './instance.js'
import { LeaseRegistry } from './registries/leases/lease-registry.js'
import { MemoryServer } from './registries/memory/memory-server.js'
import { RegistryView } from './registry-view.js'
import { Sliced } from './sliced.js'

/** Instances that tell when anybody looks at them. */
class Watched {
  readonly #seen = new Set<string>()

  /** Every hundredth is tagged; the others are untagged, most of them in one zone. */
  instance(n: number, fields: Readonly<Record<string, unknown>> = {}): Instance {
    const tagged = { zone: 'az-local', clks: [`tag-${String(n)}`], owner: `owner-${String(n)}` }
    const instance = instanceOf({
      id: String(n),
      host: `10.0.${String(n >> 8)}.${String(n & 255)}`,
      ...(n % 100 === 0 ? tagged : { zone: n % 10 < 7 ? 'az-ci' : 'az-1' }),
      ...fields,
    })
    return new Proxy(instance, {
      get: (target, field) => {
        this.#seen.add(target.id)
        return Reflect.get(target, field) as unknown
      },
    })
  }

  /** How many instances a step looked at. */
  during(step: () => void): number {
    this.#seen.clear()
    step()
    return this.#seen.size
  }
}

const SIZES = [500, 5_000]

/** For each size the number of instances that each step looked at. */
function looksPerStep(open: (size: number, watched: Watched) => readonly (() => void)[]): number[][] {
  return SIZES.map((size) => {
    const watched = new Watched()
    return open(size, watched).map((step) => watched.during(step))
  })
}

test('what a change of a view costs does not grow with the instances', () => {
  const looks = looksPerStep((size, watched) => {
    const view = new RegistryView({ environment: 'test', clock: fakeClock(), leaseMs: 10_000 })
    const holders = new Map<string, string>()
    for (let n = 0; n < size; n += 100) holders.set(`tag-${String(n)}`, `owner-${String(n)}`)
    view.hold(holders)
    view.watch('inventory', () => {})
    for (let n = 0; n < size; n += 1) view.put(watched.instance(n))
    const index = view.index('inventory')
    decide(index, { require: { cell: 'a' } })
    return [
      () => view.put(watched.instance(size + 1)),
      () => view.put(watched.instance(1, { weight: 2 })),
      () => view.put(watched.instance(2)),
      () => view.remove('3'),
      () => view.drop(['4']),
      () => view.put(watched.instance(100, { weight: 2 })),
      () => view.holdOne('tag-200', undefined),
      () => view.remove('300'),
      () => void decide(index, { clk: 'tag-100', zone: 'az-ci' }),
      () => void decide(index, { zone: 'az-ci' }),
    ]
  })
  expect(looks[1]).toEqual(looks[0])
  for (const count of looks[0] ?? []) expect(count).toBeLessThanOrEqual(2)
})

test('what a registration costs in the memory registry does not grow with the instances', () => {
  const looks = looksPerStep((size, watched) => {
    const clock = fakeClock()
    const server = new MemoryServer({ clock })
    for (let n = 0; n < size; n += 1) server.add(watched.instance(n))
    const sliced = new Sliced(new ManualTurns())
    const registry = new LeaseRegistry({
      link: server.link(),
      life: 'process',
      clock,
      random: () => 0,
      sliced,
    })
    registry.open('test')
    expect(registry.index('inventory').size).toBe(size)
    return [
      () => server.add(watched.instance(size + 1)),
      () => server.add(watched.instance(20_000)),
      () => server.enable('7', false),
      () => server.expire('8'),
      () => server.expire('200'),
    ]
  })
  expect(looks[1]).toEqual(looks[0])
  for (const count of looks[0] ?? []) expect(count).toBeLessThanOrEqual(2)
})

import { describe, expect, test } from 'vitest'
import { isWaybillError } from './errors.js'
import { Services, type ServiceOptions } from './services.js'

const make = (
  services: Record<string, ServiceOptions> = {},
  outbound: string[] = [],
  notServices: string[] = [],
): Services => new Services(services, outbound, notServices)

const nameOf = (services: Services, url: string): string | undefined =>
  services.resolve(new URL(url)).service?.name

describe('which host is a service', () => {
  test.each([
    ['http://inventory/stock/42', 'inventory'],
    ['http://INVENTORY/', 'inventory'],
    ['https://inventory/', 'inventory'],
    ['http://inventory:80/', 'inventory'],
    ['http://my-service_2/', 'my-service_2'],
    ['http://inventory:8080/', undefined],
    ['http://localhost/', undefined],
    ['http://LOCALHOST/', undefined],
    ['http://inventory.ci.svc/', undefined],
    ['http://inventory./', undefined],
    ['http://127.0.0.1/', undefined],
    ['http://2130706433/', undefined],
    ['http://[::1]/', undefined],
  ])('%s means %s', (url, name) => {
    expect(nameOf(make(), url)).toBe(name)
    expect(make().resolve(new URL(url)).fleet).toBe(name !== undefined)
  })

  test('notServices are none', () => {
    expect(nameOf(make({}, [], ['Redis']), 'http://redis/')).toBeUndefined()
  })

  test('listed hosts, with ports, schemes and the prefix of a gateway', () => {
    const services = make({
      inventory: {
        hosts: [
          'inventory',
          '{service}.ci.svc:8080',
          'http://gw.internal/inventory/',
          'https://secure.internal',
        ],
        baseline: 'http://inventory.ci.svc:8080/base',
        policy: 'strict',
        cellBound: true,
      },
      order: { hosts: ['http://gw.internal/order', 'http://gw.internal/inventory/sub'] },
    })
    expect(services.resolve(new URL('http://inventory.ci.svc:8080/x'))).toMatchObject({
      service: { name: 'inventory', listed: true, policy: 'strict', cellBound: true },
      prefix: '',
      fleet: true,
    })
    expect(services.resolve(new URL('http://gw.internal/inventory/x'))).toMatchObject({
      prefix: '/inventory',
    })
    expect(nameOf(services, 'http://gw.internal/inventory')).toBe('inventory')
    expect(nameOf(services, 'http://gw.internal/inventory/sub/x')).toBe('order')
    expect(nameOf(services, 'http://gw.internal/inventory/../order/x')).toBe('order')
    expect(nameOf(services, 'http://gw.internal/inventories')).toBeUndefined()
    expect(nameOf(services, 'http://gw.internal/')).toBeUndefined()
    expect(nameOf(services, 'https://gw.internal/inventory/x')).toBeUndefined()
    expect(nameOf(services, 'https://secure.internal/')).toBe('inventory')
    expect(nameOf(services, 'http://secure.internal/')).toBeUndefined()
    expect(nameOf(services, 'http://evil.example/inventory.ci.svc:8080')).toBeUndefined()
    expect(nameOf(services, 'http://inventory.ci.svc:8080@evil.example/')).toBeUndefined()
  })

  test('a port that is the default one says which scheme is meant', () => {
    const services = make({ a: { hosts: ['a.svc:443'] }, b: { hosts: ['a.svc:80'] } })
    expect(nameOf(services, 'https://a.svc/')).toBe('a')
    expect(nameOf(services, 'http://a.svc/')).toBe('b')
  })

  test('settings of an unlisted bare name, and of names that are asked for', () => {
    const services = make({ Inventory: { policy: 'zone-only' } })
    expect(services.named('inventory')).toMatchObject({ listed: true, policy: 'zone-only' })
    expect(services.named('constructor')).toEqual({
      name: 'constructor',
      listed: false,
      baseline: undefined,
      policy: 'baseline',
      cellBound: false,
    })
    expect(services.resolve(new URL('http://other/')).service).toMatchObject({ listed: false })
  })

  test('names from outside are remembered up to a size', () => {
    const services = make()
    for (let at = 0; at < 3000; at++) expect(nameOf(services, `http://s${at}/`)).toBe(`s${at}`)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a name', { 'a.b': {} }, 'services.a.b'],
    ['options', { a: 'http://a' }, 'services.a'],
    ['a policy', { a: { policy: 'lenient' } }, 'services.a.policy'],
    ['a baseline', { a: { baseline: 'a.svc:8080' } }, 'services.a.baseline'],
    ['a baseline of another scheme', { a: { baseline: 'ftp://a' } }, 'services.a.baseline'],
    ['a host', { a: { hosts: ['http://'] } }, 'services.a.hosts'],
    ['hosts', { a: { hosts: 'a' } }, 'services.a.hosts'],
    ['a host of another', { a: { hosts: ['x.svc'] }, b: { hosts: ['http://x.svc/'] } }, 'services.b.hosts'],
  ])('a mistake in %s is refused by its option', (_, services, option) => {
    expect.assertions(2)
    try {
      make(services as never)
    } catch (error) {
      expect(isWaybillError(error) && error.code).toBe('ERR_WAYBILL_CONFIGURATION')
      expect((error as { facts: unknown }).facts).toMatchObject({ option })
    }
  })
})

describe('trust.outbound', () => {
  const isFleet = (pattern: string, url: string): boolean => make({}, [pattern]).resolve(new URL(url)).fleet

  test.each([
    ['api.internal', 'http://api.internal/', true],
    ['API.internal', 'https://api.internal:8443/', true],
    ['api.internal', 'http://evil-api.internal/', false],
    ['api.internal', 'http://api.internal.evil.example/', false],
    ['api.internal:8080', 'http://api.internal:8080/', true],
    ['api.internal:8080', 'http://api.internal:8081/', false],
    ['api.internal:443', 'https://api.internal/', true],
    ['api.internal:443', 'http://api.internal/', false],
    ['*.internal', 'http://api.internal:9/', true],
    ['*.internal', 'http://a.b.internal/', true],
    ['*.internal', 'http://internal.evil.example/', false],
    ['*.internal', 'http://evilinternal/x.internal', true],
    ['*.internal:8080', 'http://api.internal:8080/', true],
    ['*.internal:8080', 'http://api.internal/', false],
    ['127.0.0.1', 'http://127.0.0.1:4000/', true],
    ['[::1]:4000', 'http://[::1]:4000/', true],
  ])('%s and %s: %s', (pattern, url, fleet) => {
    // A bare name is a service of its own, whatever the patterns say.
    expect(isFleet(pattern, url)).toBe(fleet)
    if (!url.includes('evilinternal'))
      expect(make({}, [pattern]).resolve(new URL(url)).service).toBeUndefined()
  })

  test.each(['*', '*.', 'a b', 'http://a', 'a/b', ''])('%j is refused', (pattern) => {
    expect(() => make({}, [pattern])).toThrow(/trust\.outbound/)
  })
})

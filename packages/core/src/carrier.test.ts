import { afterEach, describe, expect, test } from 'vitest'
import { carrierOf, HttpCarrier, type HeaderRecord } from './carrier.js'
import { DEFAULT_NAMES, EXPLAIN_HEADER } from './wire-names.js'

const NAMES = [
  ...Object.values(DEFAULT_NAMES).map(({ header }) => header),
  'baggage',
  EXPLAIN_HEADER,
  'x-own-name',
] as const

const prototype = Object.prototype as Record<string, unknown>

afterEach(() => {
  for (const name of NAMES) Reflect.deleteProperty(prototype, name)
})

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error('get')
    },
    has() {
      throw new Error('has')
    },
    ownKeys() {
      throw new Error('ownKeys')
    },
    getOwnPropertyDescriptor() {
      throw new Error('descriptor')
    },
  },
)

describe('one normaliser', () => {
  test.each<[string, unknown]>([
    ['a record', { clk: 'alice' }],
    ['a record in another case', { CLK: 'alice' }],
    ['a Buffer', { clk: Buffer.from('alice') }],
    ['a Uint8Array', { clk: new Uint8Array(Buffer.from('alice')) }],
    ['a list of one', { clk: ['alice'] }],
    ['a list with what is no text', { clk: [null, Buffer.from('alice'), undefined, 5] }],
    ['Headers', new Headers({ CLK: 'alice' })],
    ['a Map', new Map([['Clk', 'alice']])],
    ['metadata', { get: (name: string) => (name === 'clk' ? ['alice'] : []) }],
    ['a record without prototype', Object.assign(Object.create(null) as object, { clk: 'alice' })],
  ])('%s', (_, headers) => {
    expect(carrierOf(headers).get('clk')).toBe('alice')
  })

  test.each<[string, unknown]>([
    ['two keys that differ in case', { clk: 'alice', CLK: 'bob' }],
    ['a list', { clk: ['alice', 'bob'] }],
    ['Buffers', { clk: [Buffer.from('alice'), Buffer.from('bob')] }],
    ['metadata', { get: () => ['alice', 'bob'] }],
    [
      'a Map',
      new Map([
        ['clk', 'alice'],
        ['CLK', 'bob'],
      ]),
    ],
  ])('several values are told as a list: %s', (_, headers) => {
    expect(carrierOf(headers).get('clk')).toEqual(['alice', 'bob'])
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'clk: alice'],
    ['a number', 7],
    ['undefined', { clk: undefined }],
    ['null in a record', { clk: null }],
    ['a number in a record', { clk: 7 }],
    ['a boolean', { clk: true }],
    ['an object', { clk: {} }],
    ['an empty list', { clk: [] }],
    ['a list in a list', { clk: [['alice']] }],
    [
      'a Map with other keys',
      new Map<unknown, unknown>([
        [{}, 'alice'],
        [Symbol('clk'), 'alice'],
      ]),
    ],
    ['a Proxy that throws', hostile],
    [
      'a getter that throws',
      {
        get clk() {
          throw new Error('getter')
        },
      },
    ],
    [
      'a get that throws',
      {
        get() {
          throw new Error('get')
        },
      },
    ],
    [
      'a get that is a getter that throws',
      {
        get get() {
          throw new Error('getter')
        },
      },
    ],
  ])('what is no text is absent, and nothing throws: %s', (_, headers) => {
    expect(carrierOf(headers).get('clk')).toBeUndefined()
  })

  test('a list that holds itself ends', () => {
    const loop: unknown[] = ['alice']
    loop.push(loop)
    expect(carrierOf({ clk: loop }).get('clk')).toBe('alice')
  })

  test('context axios/axios PR#10750 a polluted prototype adds no header, a header named __proto__ changes none', () => {
    prototype['clk'] = 'mallory'
    expect(carrierOf({}).get('clk')).toBeUndefined()
    expect(new HttpCarrier({}).get('clk')).toBeUndefined()
    const map = carrierOf(
      new Map([
        ['__proto__', 'x'],
        ['clk', 'alice'],
      ]),
    )
    expect(map.get('__proto__')).toBe('x')
    expect(map.get('clk')).toBe('alice')
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  test('names are never paths: context OBS-10', () => {
    const headers = JSON.parse('{"__proto__.polluted":"x","a.b":"y"}') as HeaderRecord
    expect(carrierOf(headers).get('__proto__.polluted')).toBe('x')
    expect(carrierOf(headers).get('a.b')).toBe('y')
    expect(carrierOf({ a: 'z' }).get('a.b')).toBeUndefined()
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('bytes stay countable: one character each', () => {
    expect(carrierOf({ baggage: Buffer.from('泳') }).get('baggage')).toHaveLength(3)
  })
})

describe("node:http's headers", () => {
  describe.each(NAMES)('%s', (name) => {
    const others = Object.fromEntries(NAMES.map((each) => [each, `of ${each}`]))

    test('is found among the others, on a record without prototype too', () => {
      expect(new HttpCarrier(others).get(name)).toBe(`of ${name}`)
      expect(new HttpCarrier({ __proto__: null, ...others }).get(name)).toBe(`of ${name}`)
      const { [name]: _own, ...without } = others
      expect(new HttpCarrier(without).get(name)).toBeUndefined()
    })

    test('counts as an own property only, whatever it could be inherited from', () => {
      const heir = Object.create(others) as Record<string, string>
      expect(new HttpCarrier(heir).get(name)).toBeUndefined()
      heir[name] = 'own'
      expect(new HttpCarrier(heir).get(name)).toBe('own')
      prototype[name] = 'mallory'
      expect(new HttpCarrier({}).get(name)).toBeUndefined()
      expect(new HttpCarrier({ [name]: 'own' }).get(name)).toBe('own')
    })
  })

  test('own properties alone, and a value that throws is absent', () => {
    const carrier = new HttpCarrier({ clk: 'alice', list: ['a', 'b'] })
    expect(carrier.get('clk')).toBe('alice')
    expect(carrier.get('list')).toEqual(['a', 'b'])
    expect(carrier.get('constructor')).toBeUndefined()
    expect(carrier.get('__proto__')).toBeUndefined()
    expect(new HttpCarrier(hostile).get('clk')).toBeUndefined()
  })

  test('the origin is the very object', () => {
    const headers = { clk: 'alice' }
    expect(new HttpCarrier(headers).origin).toBe(headers)
    const origin: unknown[] = []
    const carrier = new HttpCarrier({ clk: 'a' }, origin)
    expect([carrier.origin, carrier.get('clk')]).toEqual([origin, 'a'])
    expect(carrier.origin).toBe(origin)
    expect(carrierOf(headers).origin).toBe(headers)
  })
})

import { getEnvironmentData } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { Interceptor } from './call.js'
import { optionsText, parseOptions, threadSecret, withInherited, type HandShake } from './hand-shake.js'
import { createKit } from './index.js'
import type { KitOptions } from './kit-options.js'
import { rendezvous } from './rendezvous.js'
import { optionsOf, threadKit } from './thread-kit.js'

const left = (): HandShake => getEnvironmentData('@waybill/hand-shake@1') as unknown as HandShake

test('what a kit leaves makes the same kit elsewhere, whatever the environment says there', () => {
  const options: KitOptions = {
    service: 'order',
    environment: 'test',
    zone: 'az-ci',
    clks: ['team.*', 'alice'],
    owner: 'me@here',
    advertise: '10.0.0.1:80',
    services: { stock: { hosts: ['stock:81'], policy: 'strict' } },
    trust: { inbound: 'edge', topics: ['orders'], peers: ['10.0.0.0/8'] },
    detectLoss: false,
    interceptors: [(next) => next],
  }
  const kit = createKit(options)
  const { options: text } = left()
  const again = createKit(parseOptions(text))
  expect(again.facts).toEqual(kit.facts)
  expect(parseOptions(left().options)).toEqual(parseOptions(text))
  expect(parseOptions(left().options)).toMatchObject({ services: options.services, trust: options.trust })
  expect(parseOptions(left().options)).not.toHaveProperty('interceptors')
})

test('also a tag that does not count in production, and the address of a baseline mark', () => {
  const production = createKit({
    service: 'order',
    environment: 'production',
    clks: 'alice',
    trust: { inbound: 'public' },
  })
  const baseline = createKit({ service: 'order', environment: 'test', baseline: '10.1.2.3' })
  for (const kit of [production, baseline]) {
    const text = optionsText({}, kit.facts, false)
    expect(createKit(parseOptions(text)).facts).toEqual(kit.facts)
  }
})

test('another process is told no registry, owner, address, user or password', () => {
  const kit = createKit({
    service: 'order',
    environment: 'test',
    clks: 'alice',
    owner: 'me@here',
    advertise: '10.0.0.1:80',
    registry: 'redis://waybill:s3cret@registry:6379/0',
    services: { coupon: { hosts: ['coupon:80'], baseline: 'http://user:s3cret@coupon:80/a@b' } },
  })
  expect(optionsOf(kit)).not.toMatch(/s3cret|me@here|10\.0\.0\.1|redis/)
  expect(parseOptions(optionsOf(kit))).toMatchObject({
    service: 'order',
    clks: ['alice'],
    disabled: false,
    services: { coupon: { hosts: ['coupon:80'], baseline: 'http://coupon:80/a@b' } },
  })
  kit.disable()
  expect(parseOptions(optionsOf(kit))).toMatchObject({ disabled: true })
})

test('threads that are made after disable() are disabled, if they would get the options of this kit', () => {
  const first = createKit({ service: 'first', environment: 'test' })
  createKit({ service: 'order', environment: 'test' }).disable()
  expect(parseOptions(left().options)).toMatchObject({ service: 'order', disabled: true })
  createKit({ service: 'order', environment: 'test' })
  first.disable()
  expect(parseOptions(left().options)).toMatchObject({ service: 'order', disabled: false })
  const same = createKit({ service: 'order', environment: 'test' })
  createKit({ service: 'order', environment: 'test' })
  same.disable()
  expect(parseOptions(left().options)).toMatchObject({ service: 'order', disabled: false })
})

test('options that are no plain data are told of by a code', () => {
  const fields = { tenant: { baggage: 'tenant', length: 1n } } as never
  expect(() => createKit({ service: 'order', environment: 'test', fields })).toThrow(
    expect.objectContaining({ code: 'ERR_WAYBILL_CONFIGURATION', cause: expect.any(TypeError) }),
  )
})

test('threads of one process share a secret, which each kit leaves for those that it makes', () => {
  createKit({ service: 'order', environment: 'test' })
  const { secret } = left()
  expect(secret).toMatch(/^[\da-f-]{36}$/)
  createKit({ service: 'order', environment: 'test' })
  expect([left().secret, threadSecret()]).toEqual([secret, secret])
})

test('what is said in a worker counts, and what is said to be undefined is not said', () => {
  const inherited: KitOptions = { service: 'order', clks: 'alice', trust: { inbound: 'edge', peers: [] } }
  expect(
    withInherited({ service: 'job', clks: undefined as never, trust: { inbound: 'peer' } }, inherited),
  ).toEqual({ service: 'job', clks: 'alice', trust: { inbound: 'peer', peers: [] } })
})

test('a text that is none says nothing', () => {
  for (const text of [undefined, '', '{', 'null', '7']) expect(parseOptions(text)).toEqual({})
})

test('the kit of a thread is the one that was made last', () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  expect(threadKit(createKit, optionsText({}, { ...kit.facts, service: 'other' }, false))).toBe(kit)
})

test('an interceptor that shares something is served in the main thread, and where it is asked is left too', () => {
  const calls: string[] = []
  const interceptor: Interceptor = Object.assign((next: Parameters<Interceptor>[0]) => next, {
    prepare: () => void calls.push('prepare'),
    share: {
      name: 'test',
      serve: () => {
        calls.push('serve')
        return async function* () {}
      },
      follow: () => calls.push('follow') > 0,
    },
  })
  createKit({ service: 'order', environment: 'test', interceptors: [interceptor] })
  expect(calls).toEqual(['prepare', 'serve'])
  expect(left().lines).toMatchObject({ test: { channel: expect.stringContaining('@waybill/line') } })
  createKit({ service: 'order', environment: 'test' })
  expect(left().lines).toEqual({})
})

test('threads of a worker ask for each share where the worker asks, or the worker itself', () => {
  const { facts } = createKit({ service: 'far', environment: 'test' })
  const sharing = (name: string, follows: boolean): Interceptor =>
    Object.assign((next: Parameters<Interceptor>[0]) => next, {
      share: { name, serve: () => async function* () {}, follow: () => follows },
    })
  const mains = { channel: 'main', share: 'any', version: new SharedArrayBuffer(4) }
  const shared = rendezvous()
  delete shared.kit
  shared.parent = { options: optionsText({}, facts, false), lines: { followed: mains, refused: mains } }
  try {
    createKit({
      interceptors: [sharing('followed', true), sharing('served', false), sharing('refused', false)],
    })
  } finally {
    shared.parent = null
  }
  const { followed, served, refused } = left().lines
  expect(followed).toEqual(mains)
  expect(served).toEqual({ ...refused, share: expect.stringContaining('served') })
  expect(refused?.share).toContain('refused')
  expect(served?.channel).toContain('@waybill/line')
})

test('what another process has sent is inherited, and no interceptor asks that one', () => {
  const { facts } = createKit({ service: 'far', environment: 'test' })
  const shared = rendezvous()
  delete shared.kit
  shared.parent = null
  const calls: string[] = []
  const asking: Interceptor = Object.assign((next: Parameters<Interceptor>[0]) => next, {
    prepare: () => void calls.push('prepare'),
    share: { name: 'test', serve: () => async function* () {}, follow: () => calls.push('follow') > 0 },
  })
  try {
    const text = JSON.stringify({ ...parseOptions(optionsText({}, facts, false)), ofAnotherRelease: true })
    expect(threadKit(createKit, text).facts).toEqual(facts)
    expect(createKit({ interceptors: [asking] }).facts.service).toBe('far')
    expect(calls).toEqual(['prepare'])
  } finally {
    shared.parent = null
  }
})

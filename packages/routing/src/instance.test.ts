import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInstance } from './instance.js'
import type { FieldProblem, Instance } from './instance.js'

const whole = { environment: 'test', service: 'inventory', host: '10.0.0.1', port: 8080 }

function read(raw: unknown): Instance {
  const reading = readInstance(raw)
  if ('instance' in reading) return reading.instance
  throw new Error(JSON.stringify(reading.problems))
}

function refuse(raw: unknown): readonly Pick<FieldProblem, 'field' | 'code'>[] {
  const reading = readInstance(raw)
  return 'problems' in reading ? reading.problems.map(({ field, code }) => ({ field, code })) : []
}

test('S2-5 zone, cell and clks are read into one normal form, whatever their case and spaces', () => {
  const instance = read({
    ...whole,
    zone: ' AZ-CI ',
    cell: 'SZ',
    clks: ['Alice', ' team.* '],
    owner: 'alice@mac',
  })
  expect(instance).toEqual({
    id: '10.0.0.1:8080',
    environment: 'test',
    service: 'inventory',
    host: '10.0.0.1',
    port: 8080,
    zone: 'az-ci',
    cell: 'sz',
    clks: ['alice', 'team.*'],
    owner: 'alice@mac',
    weight: 1,
    enabled: true,
    metadata: {},
  })
  expect(
    Object.isFrozen(instance) && Object.isFrozen(instance.clks) && Object.isFrozen(instance.metadata),
  ).toBe(true)
})

test('routing-7 several clks are a list or one text with commas, never a tag with a comma in it', () => {
  expect(read({ ...whole, clks: 'alice,bob' }).clks).toEqual(['alice', 'bob'])
  expect(read({ ...whole, clks: ['alice', 'bob'] }).clks).toEqual(['alice', 'bob'])
  expect(refuse({ ...whole, clks: ['alice,bob'] })).toEqual([{ field: 'clks', code: 'INVALID_CLK' }])
})

test('an instance whose clks are in part unreadable is refused whole, so that it cannot become baseline', () => {
  for (const clks of [
    'alice,b_b',
    'alice,',
    '',
    ' ',
    null,
    7,
    { 0: 'alice' },
    ['alice', 7],
    ['*'],
    ['.*'],
    'a..b',
    'a.*.b',
  ]) {
    expect(refuse({ ...whole, clks })).toEqual([{ field: 'clks', code: 'INVALID_CLK' }])
  }
  expect(read({ ...whole, clks: [] }).clks).toEqual([])
})

test('routing-9 metadata that bears the name of a field is refused and told where to say it', () => {
  expect(refuse({ ...whole, metadata: { clk: 'alice' } })).toEqual([
    { field: 'metadata.clk', code: 'METADATA_BEARS_FIELD' },
  ])
  for (const key of ['clks', 'Zone', 'cell', 'owner', 'weight', 'enabled']) {
    expect(refuse({ ...whole, metadata: { [key]: 'x' } })[0]?.code).toBe('METADATA_BEARS_FIELD')
  }
  expect(read({ ...whole, metadata: { role: 'link', authority: 'inv.internal' } }).metadata['role']).toBe(
    'link',
  )
})

test('routing-8 metadata belongs to the instance: two of one service keep their own', () => {
  const p1 = read({ ...whole, clks: ['tag1'], metadata: { build: '1' } })
  const p2 = read({ ...whole, port: 8081, clks: ['tag2'], metadata: { build: '2' } })
  expect([p1.clks, p1.metadata, p2.clks, p2.metadata]).toEqual([
    ['tag1'],
    { build: '1' },
    ['tag2'],
    { build: '2' },
  ])
})

test('unknown keys are refused, also those that mean something to JavaScript', () => {
  expect(refuse({ ...whole, clk: 'alice' })).toEqual([{ field: 'clk', code: 'UNKNOWN_KEY' }])
  expect(
    refuse(
      JSON.parse(
        `{ "__proto__": {"enabled": false}, "environment": "test", "service": "x", "host": "h", "port": 1 }`,
      ),
    ),
  ).toEqual([{ field: '__proto__', code: 'UNKNOWN_KEY' }])
  expect(refuse({ ...whole, metadata: JSON.parse('{ "__proto__": "x" }') as object })).toEqual([
    { field: 'metadata', code: 'INVALID' },
  ])
})

test('a link-local or unspecified address is none', () => {
  for (const host of [
    '169.254.1.2',
    'fe80::1',
    '[FE80::1]',
    'febf::1',
    '::ffff:169.254.0.1',
    '0.0.0.0',
    '::',
  ]) {
    expect(refuse({ ...whole, host })).toEqual([{ field: 'host', code: 'NO_ADDRESS' }])
  }
})

test('a host has one spelling', () => {
  expect(read({ ...whole, host: 'Inventory.CI.svc' }).host).toBe('inventory.ci.svc')
  expect(read({ ...whole, host: '[2001:DB8:0:0:0:0:0:1]' }).host).toBe('2001:db8::1')
  for (const host of [
    '2130706433',
    '0x7f.1',
    'a b',
    'a/b',
    'a:80',
    'user@host',
    'fe80::1%eth0',
    '-a',
    'a..b',
    '',
  ]) {
    expect(refuse({ ...whole, host })).toEqual([{ field: 'host', code: 'INVALID' }])
  }
})

test('numbers and switches are what they say', () => {
  for (const port of [0, 65_536, 1.5, '8080', NaN, null])
    expect(refuse({ ...whole, port })[0]?.field).toBe('port')
  for (const weight of [-1, NaN, Infinity, '1', null])
    expect(refuse({ ...whole, weight })[0]?.field).toBe('weight')
  for (const enabled of ['true', 0, null]) expect(refuse({ ...whole, enabled })[0]?.field).toBe('enabled')
  expect(read({ ...whole, weight: 0, enabled: false })).toMatchObject({ weight: 0, enabled: false })
})

test('text is printable ASCII of bounded length', () => {
  for (const owner of ['a\nb', 'é', 'a'.repeat(129), '', 7]) {
    expect(refuse({ ...whole, owner })).toEqual([{ field: 'owner', code: 'INVALID' }])
  }
  for (const value of ['a\r\nx-evil: 1', 'a'.repeat(257), 7]) {
    expect(refuse({ ...whole, metadata: { build: value } })).toEqual([
      { field: 'metadata.build', code: 'INVALID' },
    ])
  }
})

test('every problem of an entry is told at once', () => {
  expect(refuse({ service: 'x', host: 'h', port: 1, zone: 'a b', extra: 1 })).toEqual([
    { field: 'extra', code: 'UNKNOWN_KEY' },
    { field: 'zone', code: 'INVALID' },
    { field: 'environment', code: 'MISSING' },
  ])
})

test('whatever comes in, reading it never throws and never changes it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.record({ clks: fc.anything(), host: fc.anything(), port: fc.anything(), metadata: fc.anything() }),
      ),
      (raw) => {
        const reading = readInstance(raw)
        expect('instance' in reading || reading.problems.length > 0).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

test('an IPv4 address in IPv6 clothes is that IPv4 address', () => {
  expect(read({ ...whole, host: '::ffff:10.1.2.3' }).host).toBe('10.1.2.3')
  expect(read({ ...whole, host: '[::FFFF:a01:203]' }).host).toBe('10.1.2.3')
  expect(refuse({ ...whole, host: '::ffff:0.0.0.0' })).toEqual([{ field: 'host', code: 'NO_ADDRESS' }])
})

test('an authority is what a Host header may say', () => {
  for (const authority of ['inventory', 'inventory.ci.svc:8443', '10.0.0.1:80', '[2001:db8::1]:443', '[::1]'])
    expect(read({ ...whole, metadata: { authority } }).metadata).toEqual({ authority })
  for (const authority of [
    '',
    ' ',
    'evil host',
    '"',
    'x/y',
    'a\\b',
    'x:y:z',
    'inventory@evil',
    'h:0',
    'h:65536',
    'h:',
    '::1',
    '[x',
    '[a\n]',
  ])
    expect(refuse({ ...whole, metadata: { authority } })).toEqual([
      { field: 'metadata.authority', code: 'INVALID' },
    ])
})

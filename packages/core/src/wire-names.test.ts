import { describe, expect, test } from 'vitest'
import { isWaybillError } from './errors.js'
import type { FieldDefinition } from './field.js'
import { wireNames, type AliasOptions, type NameOptions } from './wire-names.js'

function refusedOption(
  names: NameOptions,
  aliases: AliasOptions = {},
  fields: FieldDefinition[] = [],
): unknown {
  try {
    wireNames(names, aliases, fields)
  } catch (error) {
    return isWaybillError(error) && error.code === 'ERR_WAYBILL_CONFIGURATION' ? error.facts['option'] : error
  }
  return undefined
}

test('wire format v1', () => {
  const names = wireNames({}, {}, [])
  expect(names.headers).toEqual(['waybill-explain', 'clk', 'x-shard-key', 'x-hop-count', 'x-target-unit'])
  expect([...names.members.keys()]).toEqual(['clk', 'shard-key', 'hop-count', 'target-unit', 'waybill-depth'])
})

test('routing-72 another name is read under its own, and the default stays ours', () => {
  const names = wireNames({ clk: { header: 'X-Lane', baggage: 'lane' } }, {}, [])
  expect(names.facts.clk).toEqual({ header: 'x-lane', baggage: 'lane' })
  expect(names.headers).toContain('clk')
  expect(names.members.get('clk')).toBe(-1)
})

describe('a name that cannot be is refused by its option', () => {
  test.each<[string, NameOptions, AliasOptions, FieldDefinition[], string]>([
    ['no token', { clk: { header: 'a b' } }, {}, [], 'names.clk.header'],
    ['a line end', { clk: { header: 'a\r\nb' } }, {}, [], 'names.clk.header'],
    ['an escape', { clk: { baggage: 'a%20' } }, {}, [], 'names.clk.baggage'],
    ['empty', { clk: { header: '' } }, {}, [], 'names.clk.header'],
    ['another type', { clk: { header: 7 as never } }, {}, [], 'names.clk.header'],
    ['reserved', { clk: { baggage: 'waybill-lane' } }, {}, [], 'names.clk.baggage'],
    ['a header of HTTP', { clk: { header: 'Host' } }, {}, [], 'names.clk.header'],
    ['baggage itself', { clk: { header: 'baggage' } }, {}, [], 'names.clk.header'],
    ['no fact', { clck: { header: 'x' } } as NameOptions, {}, [], 'names.clck'],
    ['a fact that is not named', { depth: { baggage: 'd' } } as NameOptions, {}, [], 'names.depth'],
    ['twice', { clk: { header: 'x-a' }, shardKey: { header: 'X-A' } }, {}, [], 'names.shardKey.header'],
    [
      'the default name of another fact',
      { clk: { baggage: 'shard-key' }, shardKey: { baggage: 'k' } },
      {},
      [],
      'names.clk.baggage',
    ],
    ['no alias', {}, { istio: 'read' } as AliasOptions, [], 'aliases.istio'],
    [
      'a name of the prototype as alias',
      {},
      { constructor: 'read' } as unknown as AliasOptions,
      [],
      'aliases.constructor',
    ],
    ['no mode of an alias', {}, { mse: 'write' as never }, [], 'aliases.mse'],
    ['an alias under a name of ours', { clk: { header: 'x-mse-tag' } }, { mse: 'read' }, [], 'aliases.mse'],
    ['a field under a name of ours', {}, {}, [{ name: 'a', baggage: 'clk' }], 'fields.a'],
    [
      'two fields under one name',
      {},
      {},
      [
        { name: 'a', baggage: 't' },
        { name: 'b', baggage: 't' },
      ],
      'fields.b',
    ],
    [
      'a field under the default name of a fact',
      { clk: { baggage: 'lane' } },
      {},
      [{ name: 'a', baggage: 'clk' }],
      'fields.a',
    ],
  ])('%s', (_, names, aliases, fields, option) => {
    expect(refusedOption(names, aliases, fields)).toBe(option)
  })
})

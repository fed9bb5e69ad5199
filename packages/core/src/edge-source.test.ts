import { describe, expect, test } from 'vitest'
import { carrierOf } from './carrier.js'
import { parseEdgeSources, readEdgeClk, varyOf } from './edge-source.js'
import { isWaybillError } from './errors.js'

const read = (
  entries: readonly string[],
  headers: unknown,
  request: { method?: string; url?: string } = {},
): unknown =>
  readEdgeClk(parseEdgeSources(entries, 'clk'), carrierOf(headers), { method: 'GET', url: '/', ...request })

describe('where an edge takes the clk from', () => {
  test('the first source that is present decides, even empty', () => {
    const entries = ['header', 'cookie:clk', 'query:clk']
    expect(read(entries, { clk: 'a', cookie: 'clk=b' }, { url: '/?clk=c' })).toEqual({
      source: 'header',
      text: 'a',
    })
    expect(read(entries, { clk: '', cookie: 'clk=b' })).toEqual({ source: 'header', text: '' })
    expect(read(entries, { cookie: 'clk=b' }, { url: '/?clk=c' })).toEqual({ source: 'cookie', text: 'b' })
    expect(read(entries, {}, { url: '/?clk=c' })).toEqual({ source: 'query', text: 'c' })
    expect(read(entries, {})).toEqual({ source: 'none', text: undefined })
  })

  test.each([
    ['a=1; clk=alice; b=2', 'alice'],
    ['clk="alice"', 'alice'],
    ['clk=', ''],
    ['xclk=alice', undefined],
    ['Clk=alice', undefined],
    ['clk', undefined],
    ['clk=a; clk=a', 'a'],
    ['clk=a; clk=b', ['a', 'b']],
    ['__proto__=x', undefined],
    [['a=1', 'clk=alice'], 'alice'],
  ])('routing-42 of the cookies %j comes %j', (cookie, text) => {
    expect(read(['cookie:clk'], { cookie })).toMatchObject({ text })
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', undefined])('the query of a %s is not asked', (method) => {
    const sources = parseEdgeSources(['query:clk'], 'clk')
    expect(readEdgeClk(sources, carrierOf({}), { method, url: '/?clk=a' }).text).toBeUndefined()
  })

  test('a parameter that comes twice with two values is ambiguous', () => {
    expect(read(['query:clk'], {}, { url: '/p?x=1&clk=a&clk=b' })).toMatchObject({ text: ['a', 'b'] })
    expect(read(['query:clk'], {}, { url: '/p?clk=%61' })).toMatchObject({ text: 'a' })
    expect(read(['query:clk'], {}, { url: '/p?%zz=1&clk=%ff' })).toMatchObject({ source: 'query' })
    expect(
      readEdgeClk(parseEdgeSources(['query:clk'], 'clk'), carrierOf({}), { method: 'GET', url: undefined })
        .text,
    ).toBeUndefined()
  })

  test.each(['', 'headers', 'cookie', 'cookie:', 'path:clk', 'cookie:a b', 'header:a:b'])(
    '%j is refused by name',
    (entry) => {
      expect.assertions(2)
      try {
        parseEdgeSources([entry], 'clk')
      } catch (error) {
        expect(isWaybillError(error) && error.code).toBe('ERR_WAYBILL_CONFIGURATION')
        expect((error as { facts: unknown }).facts).toMatchObject({ option: 'trust.edgeFrom', entry })
      }
    },
  )
})

test('Vary names every header and cookie that is read', () => {
  expect(varyOf(parseEdgeSources(['header', 'cookie:clk', 'cookie:x', 'query:clk'], 'clk'))).toBe(
    'clk, cookie',
  )
  expect(varyOf(parseEdgeSources(['query:clk'], 'clk'))).toBeUndefined()
})

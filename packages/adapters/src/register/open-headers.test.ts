import { expect, test } from 'vitest'
import { openHeaders } from './open-headers.js'

const opened = (headers: unknown, options: object = {}): unknown =>
  openHeaders({ headers, ...options } as never)

test.each([
  ['none', undefined],
  ['a record', { 'x-a': '1' }],
  ['a name without a value, which node:http refuses', ['x-a']],
])('%s stays as it is', (_title, headers) => {
  expect(opened(headers)).toBeUndefined()
})

test('context apify/proxy-chain#585 a flat list becomes a record, each name as it was written, a repeated one with all of its values', () => {
  const headers = ['X-A', '1', 'Cookie', 'a=1', 'x-a', '2', 'X-A', '3']
  expect(opened(headers, { path: '/', auth: 'a:b' })).toEqual({
    // node:http adds neither Host nor Authorization to a list.
    options: {
      path: '/',
      auth: undefined,
      setHost: false,
      headers: { 'X-A': ['1', '2', '3'], Cookie: 'a=1' },
    },
    expect: undefined,
  })
  expect(opened(headers, { setHost: true })).toMatchObject({ options: { setHost: true } })
})

test('so does a list of pairs', () => {
  expect(opened([['x-a', '1']])).toMatchObject({ options: { headers: { 'x-a': '1' } } })
})

test('Expect is taken out, in any case, and the rest of the options stays', () => {
  const options = { auth: 'a:b' }
  expect(opened({ EXPECT: '100-continue', 'x-a': '1' }, options)).toEqual({
    options: { auth: 'a:b', headers: { 'x-a': '1' } },
    expect: '100-continue',
  })
  expect(opened(['expect', '100-continue'])).toMatchObject({ expect: '100-continue' })
})

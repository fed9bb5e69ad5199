import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WaybillError } from './errors.js'
import { sentOf } from './sent.js'

const errno = (code: string, syscall?: string, cause?: unknown): Error =>
  Object.assign(
    new Error(code, cause === undefined ? undefined : { cause }),
    { code },
    syscall === undefined ? {} : { syscall },
  )

const refused = errno('ECONNREFUSED', 'connect')

describe('whether a failed call was sent', () => {
  test.each<[string, unknown]>([
    ['refused', refused],
    ['unreachable', errno('EHOSTUNREACH', 'connect')],
    ['no network', errno('ENETUNREACH', 'connect')],
    ['timed out on connect', errno('ETIMEDOUT', 'connect')],
    ['no name', errno('ENOTFOUND', 'getaddrinfo')],
    ['no name for now', errno('EAI_AGAIN', 'getaddrinfo')],
    ['no name by another look-up', errno('ENOTFOUND', 'queryA')],
    ["undici's own timer", errno('UND_ERR_CONNECT_TIMEOUT')],
    ["fetch's wrapping", new TypeError('fetch failed', { cause: refused })],
    ["axios's wrapping", errno('ECONNREFUSED', undefined, refused)],
    ['a code alone', errno('ECONNREFUSED')],
    ['a code over a cause that says nothing', errno('ECONNREFUSED', undefined, new Error('socket'))],
    [
      'every address refused',
      Object.assign(new AggregateError([refused, errno('ETIMEDOUT', 'connect')]), { code: 'ECONNREFUSED' }),
    ],
    ['refused by the kit', new WaybillError('ERR_WAYBILL_NO_PROVIDER')],
    ['found unreachable by the kit', new Error('x', { cause: new WaybillError('ERR_WAYBILL_UNREACHABLE') })],
  ])('no: %s', (_, error) => {
    expect(sentOf(error)).toBe('no')
  })

  const loop = new Error('loop')
  loop.cause = loop
  const tree: { errors: unknown[] } = { errors: [] }
  tree.errors.push(tree)

  test.each<[string, unknown]>([
    ['reset', errno('ECONNRESET', 'read')],
    ['a route that vanished under an open connection', errno('EHOSTUNREACH', 'read')],
    [
      'the same, wrapped with the code copied',
      errno('ENETUNREACH', undefined, errno('ENETUNREACH', 'write')),
    ],
    ['timed out while reading', errno('ETIMEDOUT', 'read')],
    ['a timeout of nobody knows what', errno('ETIMEDOUT')],
    ['a broken pipe', errno('EPIPE', 'write')],
    [
      'one address was reached',
      Object.assign(new AggregateError([refused, errno('ECONNRESET', 'read')]), { code: 'ECONNREFUSED' }),
    ],
    ['aborted', new DOMException('aborted', 'AbortError')],
    ['no error at all', undefined],
    ['a text', 'ECONNREFUSED'],
    ['a cause that is itself', loop],
    ['errors that hold themselves', tree],
  ])('unknown: %s', (_, error) => {
    expect(sentOf(error)).toBe('unknown')
  })

  test('a real refusal', async () => {
    const error = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve))
    expect(sentOf(error)).toBe('no')
  })
})

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { KeptBody } from './kept-body.js'

async function textOf(pieces: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += String(piece)
  return text
}

test('what one reader waits for is heard by the next one, too', async () => {
  const source = new PassThrough()
  const body = new KeptBody(source)
  source.write('one ')
  const first = body.read()
  expect(String((await first.next()).value)).toBe('one ')
  const waiting = first.next()
  const second = textOf(body.read())
  await new Promise(setImmediate)
  source.end('two')
  expect(await second).toBe('one two')
  expect(String((await waiting).value)).toBe('two')
  expect(await textOf(body.read())).toBe('one two')
})

test('a source that fails has failed for every reader', async () => {
  const source = new PassThrough()
  const body = new KeptBody(source)
  source.write('one ')
  const first = textOf(body.read())
  setImmediate(() => source.destroy(new Error('the disk is gone')))
  await expect(first).rejects.toThrow('the disk is gone')
  await expect(textOf(body.read())).rejects.toThrow('the disk is gone')
})

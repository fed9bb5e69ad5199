import { expect, test } from 'vitest'
import { tryCurrentWaybill } from './index.js'
import { withWaybill } from './testing.js'
import { AskingLine, ServedLine } from './thread-line.js'

/** Both ends find each other by the name of a channel, so that one thread is as good as two. */
test('a question is answered in pieces, in order, and by the share of its name', async () => {
  const served = new ServedLine()
  served.share('route', async function* (question) {
    yield question
    yield [1, 2]
  })
  served.share('other', async function* () {
    yield 'other'
  })
  const line = new AskingLine(served.address)
  const pieces: unknown[] = []
  await Promise.all([
    line.to('route').ask({ service: 'stock' }, (piece) => pieces.push(piece)),
    line.to('other').ask(undefined, (piece) => pieces.push(piece)),
  ])
  expect(pieces.filter((piece) => piece !== 'other')).toEqual([{ service: 'stock' }, [1, 2]])
  expect(pieces).toContain('other')
})

test('a change shows in the version, without a message', () => {
  const served = new ServedLine()
  const line = new AskingLine(served.address).to('route')
  const before = line.version()
  served.changed()
  expect(line.version()).toBe(before + 1)
})

test('nobody who shares this, an answer that fails, and silence are each an error with a code', async () => {
  const served = new ServedLine()
  served.share('broken', async function* () {
    yield 1
    throw new Error('registry on fire')
  })
  const code = 'ERR_WAYBILL_PARENT_THREAD'
  const line = new AskingLine(served.address)
  await expect(line.to('route').ask(1, () => {})).rejects.toMatchObject({
    code,
    facts: { why: 'no interceptor of the parent thread shares route' },
  })
  await expect(line.to('broken').ask(1, () => {})).rejects.toMatchObject({
    code,
    facts: { why: 'registry on fire' },
  })
  await expect(new AskingLine(undefined).to('route').ask(1, () => {})).rejects.toMatchObject({ code })
  const gone = new AskingLine({ ...served.address, channel: 'nobody listens here' }, 1)
  await expect(gone.to('route').ask(1, () => {})).rejects.toMatchObject({ code, facts: { share: 'route' } })
})

test('OBS-16 a question is answered in no scope, whoever made the first kit', async () => {
  const served = withWaybill({ clk: 'alice' }, () => new ServedLine())
  let seen: unknown = 'not asked'
  served.share('route', async function* () {
    seen = tryCurrentWaybill()
    yield seen
  })
  await withWaybill({ clk: 'bob' }, () => new AskingLine(served.address).to('route').ask(1, () => {}))
  expect(seen).toBeUndefined()
})

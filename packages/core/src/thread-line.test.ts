import { expect, test } from 'vitest'
import { tryCurrentWaybill } from './index.js'
import { withWaybill } from './testing.js'
import { AskingLine, ServedLine } from './thread-line.js'

/** Both ends find each other by the name of a channel, so that one thread is as good as two. */
test('a question is answered in pieces, in order, and by the share of its name', async () => {
  const served = new ServedLine()
  const route = served.share('route', async function* (question) {
    yield question
    yield [1, 2]
  })
  const other = served.share('other', async function* () {
    yield 'other'
  })
  const pieces: unknown[] = []
  await Promise.all([
    new AskingLine(route).to('route').ask({ service: 'stock' }, (piece) => pieces.push(piece)),
    new AskingLine(other).to('other').ask(undefined, (piece) => pieces.push(piece)),
  ])
  expect(pieces.filter((piece) => piece !== 'other')).toEqual([{ service: 'stock' }, [1, 2]])
  expect(pieces).toContain('other')
})

test('whoever asks one kit is not answered by another that was made later', async () => {
  const served = new ServedLine()
  const [first] = ['first', 'second'].map((kit) =>
    served.share('route', async function* () {
      yield kit
    }),
  )
  const pieces: unknown[] = []
  await new AskingLine(first).to('route').ask(1, (piece) => pieces.push(piece))
  expect(pieces).toEqual(['first'])
})

test('a change shows in the version, without a message', () => {
  const served = new ServedLine()
  const line = new AskingLine(served.share('route', async function* () {})).to('route')
  const before = line.version()
  served.changed()
  expect(line.version()).toBe(before + 1)
})

test('nobody who shares this, an answer that fails, and silence are each an error with a code', async () => {
  const served = new ServedLine()
  const broken = served.share('broken', async function* () {
    yield 1
    throw new Error('registry on fire')
  })
  const code = 'ERR_WAYBILL_PARENT_THREAD'
  const unknown = new AskingLine({ ...broken, share: 'route' })
  await expect(unknown.to('route').ask(1, () => {})).rejects.toMatchObject({
    code,
    facts: { why: 'no interceptor of the parent thread shares route' },
  })
  await expect(new AskingLine(broken).to('broken').ask(1, () => {})).rejects.toMatchObject({
    code,
    facts: { why: 'registry on fire' },
  })
  await expect(new AskingLine(undefined).to('route').ask(1, () => {})).rejects.toMatchObject({ code })
  const gone = new AskingLine({ ...broken, channel: 'nobody listens here' }, 1)
  await expect(gone.to('route').ask(1, () => {})).rejects.toMatchObject({ code, facts: { share: 'route' } })
})

test('OBS-16 a question is answered in no scope, whoever made the first kit', async () => {
  const served = withWaybill({ clk: 'alice' }, () => new ServedLine())
  let seen: unknown = 'not asked'
  const route = served.share('route', async function* () {
    seen = tryCurrentWaybill()
    yield seen
  })
  await withWaybill({ clk: 'bob' }, () => new AskingLine(route).to('route').ask(1, () => {}))
  expect(seen).toBeUndefined()
})

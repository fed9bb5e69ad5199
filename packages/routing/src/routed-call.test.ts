import { fakeClock, recordEvents } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { answer, fleet, refusing, resetting } from './fixtures/fleet.js'
import { ciInstance, instanceOf, taggedInstance } from './fixtures/instance-of.js'
import { seededRandom } from './fixtures/seeded-random.js'
import { twoChoices } from './balance/two-choices.js'

const ci1 = ciInstance(1)
const ci2 = ciInstance(2)
const CI1 = '127.0.0.1:8081'
const CI2 = '127.0.0.1:8082'
const alice = taggedInstance('alice')
const ALICE = `127.0.0.1:${String(alice.port)}`

test('D2-16 an unreachable laptop costs one failed connect, then the baseline, and the reply says so', async () => {
  for (const method of ['GET', 'POST']) {
    const { ask, at, hits, notes } = fleet({ instances: [alice, ci1] })
    at[ALICE] = refusing
    expect((await ask({ clk: 'alice', method, body: 'replayable' })).status).toBe(200)
    expect(hits).toEqual([ALICE, CI1])
    expect(notes).toEqual([
      {
        service: 'inventory',
        served: '@az-ci',
        reason: 'BASELINE_ZONE',
        notes: ['TAG_UNREACHABLE'],
        at: CI1,
      },
    ])
  }
})

test('routing-13 a tagged instance is not left for being slow, broken or failing', async () => {
  const { ask, at, hits } = fleet({ instances: [alice, ci1] })
  at[ALICE] = () => answer(500)
  expect((await ask({ clk: 'alice' })).status).toBe(500)
  at[ALICE] = resetting
  await expect(ask({ clk: 'alice' })).rejects.toMatchObject({ code: 'ECONNRESET' })
  at[ALICE] = () => {
    throw Object.assign(new Error('timeout of 500ms exceeded'), { code: 'ECONNABORTED' })
  }
  await expect(ask({ clk: 'alice' })).rejects.toMatchObject({ code: 'ECONNABORTED' })
  for (let n = 0; n < 20; n += 1) await ask({ clk: 'alice' }).catch(() => undefined)
  // Not even a safe method is sent again: she may have done the work.
  expect(hits).toEqual(Array.from({ length: 23 }, () => ALICE))
})

test('a host library’s retry of a call that broke off at the laptop goes to the laptop again', async () => {
  const events = recordEvents(['selected'])
  const { ask, at, hits } = fleet({ instances: [alice, ci1] })
  at[ALICE] = resetting
  await expect(ask({ clk: 'alice' })).rejects.toThrow()
  await expect(ask({ clk: 'alice', after: events.of('selected').at(-1)?.call ?? '' })).rejects.toThrow()
  events.stop()
  expect(hits).toEqual([ALICE, ALICE])
})

test('D2-16 with a strict policy an unreachable laptop fails fast, with the reason and the connect error', async () => {
  const { ask, at, hits } = fleet({
    instances: [alice, ci1],
    kit: { services: { inventory: { policy: 'strict' } } },
  })
  at[ALICE] = refusing
  await expect(ask({ clk: 'alice' })).rejects.toMatchObject({
    code: 'ERR_WAYBILL_NO_PROVIDER',
    facts: { reason: 'STRICT_NO_MATCH', notes: ['TAG_UNREACHABLE'], tried: `${ALICE} ECONNREFUSED` },
    cause: { code: 'ECONNREFUSED' },
  })
  expect(hits).toEqual([ALICE])
})

test('never sideways to another tag: a refused call goes to the parent of its tag, or to the baseline', async () => {
  const hers = taggedInstance('alice', { clks: ['team.alice'] })
  const parent = taggedInstance('team', { clks: ['team.*'] })
  const sibling = taggedInstance('bob', { clks: ['team.bob'] })
  const { ask, at, hits, notes } = fleet({ instances: [hers, parent, sibling, ci1] })
  at[ALICE] = refusing
  await ask({ clk: 'team.alice' })
  expect(hits).toEqual([ALICE, `127.0.0.1:${String(parent.port)}`])
  expect(notes[0]).toMatchObject({ served: 'team.*', reason: 'TAG_PARENT', notes: ['TAG_UNREACHABLE'] })
})

test('routing-11 two instances that refuse: one after the other, then the error; a single one is tried once', async () => {
  const two = fleet({ instances: [ci1, ci2] })
  two.at[CI1] = refusing
  two.at[CI2] = refusing
  await expect(two.ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(two.hits.sort()).toEqual([CI1, CI2])
  const one = fleet({ instances: [ci1], kit: { clks: 'me', owner: 'me@mac' } })
  one.at[CI1] = refusing
  await expect(one.ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(one.hits).toEqual([CI1])
})

test('routing-11 a host library’s own retry goes to the other one, and back where nobody else is left', async () => {
  const events = recordEvents(['selected'])
  const two = fleet({ instances: [ci1, ci2] })
  two.at[CI1] = resetting
  two.at[CI2] = resetting
  const post = { method: 'POST', body: 'replayable' as const }
  const last = (): string => events.of('selected').at(-1)?.call ?? ''
  await expect(two.ask(post)).rejects.toThrow()
  await expect(two.ask({ ...post, after: last() })).rejects.toThrow()
  expect([...two.hits].sort()).toEqual([CI1, CI2])
  const one = fleet({ instances: [ci1], kit: { clks: 'me', owner: 'me@mac' } })
  one.at[CI1] = resetting
  await expect(one.ask(post)).rejects.toThrow()
  await expect(one.ask({ ...post, after: last() })).rejects.toThrow()
  events.stop()
  expect(one.hits).toEqual([CI1, CI1])
})

test('a host library’s retry of a call that found the laptop closed says TAG_TRIED', async () => {
  const events = recordEvents(['selected'])
  const { ask, at, notes } = fleet({ instances: [alice, ci1] })
  at[ALICE] = refusing
  at[CI1] = resetting
  await expect(ask({ clk: 'alice', method: 'POST', body: 'replayable' })).rejects.toThrow()
  await expect(
    ask({
      clk: 'alice',
      method: 'POST',
      body: 'replayable',
      after: events.of('selected').at(-1)?.call ?? '',
    }),
  ).rejects.toThrow()
  events.stop()
  expect(notes.map(({ reason, notes: said }) => [reason, said])).toEqual([
    ['BASELINE_ZONE', ['TAG_UNREACHABLE']],
    ['BASELINE_ZONE', ['TAG_TRIED']],
  ])
})

test('an untagged call is repeated where nothing was sent, or where the method is safe; never an answer', async () => {
  const cases = [
    { at: resetting, method: 'GET', hits: 2 },
    { at: resetting, method: 'PUT', hits: 1 },
    { at: resetting, method: 'POST', hits: 1 },
    { at: refusing, method: 'POST', hits: 2 },
    { at: () => answer(503, { 'retry-after': '1' }), method: 'GET', hits: 1 },
    { at: () => answer(421), method: 'GET', hits: 1 },
  ]
  for (const { at: behaviour, method, hits } of cases) {
    const world = fleet({ instances: [ci1, ci2] })
    world.at[CI1] = behaviour
    world.at[CI2] = behaviour
    await world.ask({ method, body: 'replayable' }).catch(() => undefined)
    expect(world.hits).toHaveLength(hits)
  }
})

test('never for streams, after an abort, or once the answer began', async () => {
  const aborted = AbortSignal.abort()
  const began = (): never => {
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET', response: { status: 200 } })
  }
  for (const { question, behaviour } of [
    { question: { body: 'stream' as const }, behaviour: refusing },
    { question: { signal: aborted }, behaviour: refusing },
    { question: {}, behaviour: began },
  ]) {
    const world = fleet({ instances: [ci1, ci2] })
    world.at[CI1] = behaviour
    world.at[CI2] = behaviour
    await world.ask(question).catch(() => undefined)
    expect(world.hits.length).toBeLessThan(2)
  }
})

test('not after its deadline', async () => {
  for (const { leftMs, hits } of [
    { leftMs: 50, hits: 1 },
    { leftMs: 51, hits: 2 },
  ]) {
    const clock = fakeClock(1_000_000)
    const world = fleet({ instances: [ci1, ci2], clock })
    const slowlyRefusing = (): never => {
      clock.advance(50)
      return refusing()
    }
    world.at[CI1] = slowlyRefusing
    world.at[CI2] = slowlyRefusing
    const asked = world.ask({ deadline: clock.now() + leftMs })
    await expect(asked).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(world.hits).toHaveLength(hits)
  }
})

test('a call that its caller gave up says nothing about the instance, one that ran out of time does', async () => {
  const share = async (reason: Error | undefined): Promise<number> => {
    const { ask, at, hits } = fleet({ instances: [ci1, ci2], balancer: twoChoices(seededRandom(3)) })
    for (let n = 0; n < 100; n += 1) {
      const caller = new AbortController()
      at[CI1] = () => {
        caller.abort(reason)
        throw caller.signal.reason as Error
      }
      await ask({ signal: caller.signal }).catch(() => undefined)
    }
    return hits.filter((hit) => hit === CI1).length
  }
  expect(await share(undefined)).toBeGreaterThan(30)
  expect(await share(new Error('the page was left'))).toBeGreaterThan(30)
  expect(await share(new DOMException('500 ms are over', 'TimeoutError'))).toBeLessThan(10)
})

test('retries of untagged calls have a budget; leaving a laptop is not counted', async () => {
  const clock = fakeClock(1_000_000)
  const { ask, at, hits } = fleet({ instances: [ci1, ci2, alice], clock })
  at[CI1] = refusing
  at[CI2] = refusing
  for (let n = 0; n < 100; n += 1) await ask().catch(() => undefined)
  expect(hits).toHaveLength(130)
  at[CI1] = () => answer(200)
  at[CI2] = () => answer(200)
  at[ALICE] = refusing
  hits.length = 0
  for (let n = 0; n < 50; n += 1) await ask({ clk: 'alice' })
  expect(hits).toHaveLength(100)
})

test('D2-16 a stale address that answers 421 with our code is an unreachable one; a bare 421 is an answer', async () => {
  const stale = instanceOf({ id: 'stale', host: '127.0.0.2', port: 9000, zone: 'az-ci' })
  const { ask, at, hits } = fleet({ instances: [stale, ci1], balancer: twoChoices(seededRandom(2)) })
  at['127.0.0.2:9000'] = () => answer(421, { 'waybill-refused': 'ERR_WAYBILL_MISDIRECTED' })
  for (let n = 0; n < 20; n += 1) {
    expect((await ask({ method: 'POST', body: 'replayable' })).status).toBe(200)
  }
  expect(hits.filter((hit) => hit !== CI1)).toEqual(['127.0.0.2:9000'])
  const alone = fleet({ instances: [stale] })
  alone.at['127.0.0.2:9000'] = () => answer(421, { 'waybill-refused': 'ERR_WAYBILL_MISDIRECTED' })
  alone.at['inventory'] = refusing
  await expect(alone.ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(alone.hits).toEqual(['127.0.0.2:9000', 'inventory'])
})

test('routing-30 five in az-ci, four refuse: after a sweep traffic is spread to the other zone too', async () => {
  const zone = [1, 2, 3, 4, 5].map((n) => ciInstance(n))
  const other = instanceOf({ id: 'b', host: '127.0.0.3', zone: 'az-b' })
  const { ask, at, hits, notes } = fleet({
    instances: [...zone, other],
    balancer: twoChoices(seededRandom(9)),
  })
  for (const n of [1, 2, 3, 4]) at[`127.0.0.1:${String(8080 + n)}`] = refusing
  for (let n = 0; n < 40; n += 1) await ask().catch(() => undefined)
  notes.length = 0
  hits.length = 0
  for (let n = 0; n < 100; n += 1) await ask()
  expect(new Set(notes.map(({ reason }) => reason))).toEqual(new Set(['BASELINE_ANY']))
  expect(hits.filter((hit) => hit === '127.0.0.3:8080').length).toBeGreaterThan(25)
})

test('routing-30 the one at 100 % errors is ejected within the cap', async () => {
  const instances = [1, 2, 3, 4, 5].map((n) => ciInstance(n))
  const { ask, at, hits } = fleet({ instances, balancer: twoChoices(seededRandom(4)) })
  at[CI1] = () => answer(500)
  for (let n = 0; n < 400; n += 1) await ask()
  hits.length = 0
  for (let n = 0; n < 100; n += 1) await ask()
  expect(hits).not.toContain(CI1)
})

test('an instance that fails fast is not taken for the quickest', async () => {
  const clock = fakeClock()
  const { ask, at, hits } = fleet({ instances: [ci1, ci2], clock, balancer: twoChoices(seededRandom(6)) })
  const after = (ms: number, status: number) => () => {
    clock.advance(ms)
    return answer(status)
  }
  at[CI1] = after(1, 500)
  at[CI2] = after(50, 200)
  for (let n = 0; n < 100; n += 1) await ask()
  expect(hits.filter((hit) => hit === CI1).length).toBeLessThan(5)
})

test('routing-64 a registry that is silent says so in every note, and calls go on', async () => {
  const { ask, registry, notes } = fleet({ instances: [ci1] })
  await ask()
  registry.index('inventory').stale = true
  await ask()
  expect(notes.map(({ notes: said }) => said)).toEqual([[], ['STALE_SNAPSHOT']])
})

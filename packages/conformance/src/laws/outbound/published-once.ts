import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { subscribe } from '@waybill/core'
import { isWaybillError, WaybillError, type Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill, type WaybillFields } from '@waybill/core/testing'
import type { OutboundHalf, OutboundRequest } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound, type OutboundStage } from '../../stage/outbound-stage.js'
import { catchUncaught } from '../../stage/uncaught.js'
import { closedPort } from '../../wire/closed-port.js'
import type { Answer } from '../../wire/far-server.js'

interface Ending {
  readonly title: string
  readonly request: (stage: OutboundStage, dead: string) => Partial<OutboundRequest>
  readonly within?: WaybillFields
  readonly events: readonly ('injected' | 'settled' | 'refused')[]
  /** True: the call rejects. */
  readonly fails?: boolean
}

const ENDINGS: readonly Ending[] = [
  { title: 'an answer', request: () => ({}), events: ['injected', 'settled'] },
  {
    title: 'an answer to a body',
    request: () => ({ method: 'POST', body: 'text' }),
    events: ['injected', 'settled'],
  },
  {
    title: 'an answer that nobody likes',
    request: ({ far }) => ({ url: `${far.origin}/500` }),
    events: ['injected', 'settled'],
  },
  {
    title: 'a second attempt',
    request: () => ({ headers: { 'x-twice': '1' } }),
    events: ['injected', 'injected', 'settled'],
  },
  {
    title: 'a refused connection',
    request: (_stage, dead) => ({ url: dead }),
    events: ['injected', 'settled'],
    fails: true,
  },
  {
    title: 'a connection that is cut',
    request: ({ far }) => ({ url: `${far.origin}/reset` }),
    events: ['injected', 'settled'],
    fails: true,
  },
  {
    title: 'an abort',
    request: ({ far }) => ({ url: `${far.origin}/hang`, signal: AbortSignal.timeout(30) }),
    events: ['injected', 'settled'],
    fails: true,
  },
  {
    title: 'a refusal of an interceptor',
    request: () => ({ headers: { 'x-refuse': '1' } }),
    events: ['refused'],
    fails: true,
  },
  {
    title: 'a circle',
    request: () => ({}),
    within: { depth: 32 },
    events: ['refused'],
    fails: true,
  },
]

const answer: Answer = ({ url }, response, request) => {
  if (url === '/reset') request.socket.destroy()
  else if (url !== '/hang') response.writeHead(url === '/500' ? 500 : 200).end('ok')
}

const judging: Interceptor = (next) => async (call) => {
  if (call.headers('x-refuse') !== undefined) {
    throw new WaybillError('ERR_WAYBILL_NO_PROVIDER', { service: call.service?.name })
  }
  if (call.headers('x-twice') === undefined) return next(call)
  // Not its `done`: a client that streams holds the body back for as long as it is not decided who is to read it.
  await next(call)
  return next({ ...call, attempt: 2 })
}

export const publishedOnce: Law<'published-once', OutboundHalf> = {
  name: 'published-once',
  title:
    'each call ends in one of settled or refused, each injection is published once, and no subscriber changes a call',
  async holds(half) {
    const dead = `127.0.0.1:${String(await closedPort())}`
    const kit = { interceptors: [judging], services: { dead: { hosts: [dead] } } }
    await withOutbound(half, { answer, kit }, async (stage) => {
      for (const ending of ENDINGS) await ends(stage, ending, `http://${dead}/`)
      await besideAThrower(stage)
    })
  },
}

async function ends(stage: OutboundStage, ending: Ending, dead: string): Promise<void> {
  const { title, request, within = { clk: 'alice' }, events, fails = false } = ending
  const recorded = recordEvents(['injected', 'settled', 'refused'])
  const { injected, settled, refused } = stage.kit.counters
  try {
    let error: unknown
    await withWaybill(within, () => stage.call(request(stage, dead))).catch(
      (caught: unknown) => (error = caught),
    )
    assert.equal(error !== undefined, fails, `${title}: ${fails ? 'rejects' : 'resolves'}`)
    assert.equal(isOurs(error), events.includes('refused'), `${title}: whose error it is`)
    // What is published too much may come late.
    await wait(5)
    assert.deepEqual(
      recorded.all.map(({ name }) => name),
      events,
      title,
    )
    assert.equal(
      new Set(recorded.all.map(({ event }) => (event as { call?: string }).call)).size,
      1,
      `${title}: one call`,
    )
    const counted = (name: string): number => events.filter((event) => event === name).length
    const { counters } = stage.kit
    assert.deepEqual(
      [counters.injected - injected, counters.settled - settled, counters.refused - refused],
      [counted('injected'), counted('settled'), counted('refused')],
      `${title}: counted as published`,
    )
  } finally {
    recorded.stop()
  }
}

/** A client may wrap what its transport threw. */
function isOurs(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (isWaybillError(at)) return true
  return false
}

async function besideAThrower({ call }: OutboundStage): Promise<void> {
  const caught = await catchUncaught(async () => {
    const stops = (['injected', 'settled'] as const).map((name) =>
      subscribe(name, () => {
        throw new Error('a subscriber')
      }),
    )
    try {
      assert.equal((await call()).text, 'ok')
    } finally {
      for (const stop of stops) stop()
    }
  })
  assert.equal(caught.length, 2, 'a subscriber’s error is the process’s')
}

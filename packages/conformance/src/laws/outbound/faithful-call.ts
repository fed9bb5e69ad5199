import assert from 'node:assert/strict'
import type { Call, Interceptor, Reply } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound } from '../../stage/outbound-stage.js'
import { farServer, type Answer } from '../../wire/far-server.js'

const answer: Answer = (_heard, response) => {
  response.writeHead(418, { 'X-Theirs': 'short and stout' }).end('tea')
}

export const faithfulCall: Law<'faithful-call', OutboundHalf> = {
  name: 'faithful-call',
  title: 'interceptors see the call and its reply as they are, and a body that is said to be replayable is',
  async holds(half) {
    const seen: { call: Call; reply: Reply }[] = []
    const looking: Interceptor = (next) => async (call) => {
      // A reply must be read before its connection carries the next attempt; `done` says when.
      if (call.headers('x-again') !== undefined && call.body !== 'stream') await next(call)
      const reply = await next(call)
      seen.push({ call, reply })
      return reply
    }
    await withOutbound(half, { answer, kit: { interceptors: [looking] } }, async ({ call, far }) => {
      for (const method of ['GET', 'PUT', 'POST'] as const) {
        const url = `${far.origin}/a/b?c=d`
        const body = method === 'GET' ? {} : { body: 'text' }
        const reply = await withWaybill({ clk: 'alice' }, () =>
          call({ url, method, headers: { 'X-Mine': '1' }, ...body }),
        )
        assert.deepEqual(
          [reply.status, reply.text, reply.headers['x-theirs']],
          [418, 'tea', 'short and stout'],
        )
        assertSeen(seen.at(-1), url, method)
        await seen.at(-1)?.reply.done
      }
      await replayed(call, far)
      const stranger = await farServer()
      await call({ url: `${stranger.origin}/` }).finally(() => stranger.close())
      const last = seen.at(-1)?.call
      assert.deepEqual(
        [last?.fleet, last?.service],
        [false, undefined],
        'a call out of the fleet is seen too',
      )
    })
  },
}

function assertSeen(seen: { call: Call; reply: Reply } | undefined, url: string, method: string): void {
  assert.ok(seen, 'the call goes through the interceptors')
  const { call, reply } = seen
  assert.deepEqual(
    {
      kind: call.kind,
      url: call.url?.href,
      method: call.method,
      service: call.service?.name,
      fleet: call.fleet,
      idempotent: call.idempotent,
      mine: call.headers('x-mine'),
      absent: call.headers('x-absent'),
      clk: call.waybill.clk,
      attempt: call.attempt,
    },
    {
      kind: 'http',
      url,
      method,
      service: 'far',
      fleet: true,
      idempotent: method !== 'POST',
      mine: '1',
      absent: undefined,
      clk: 'alice',
      attempt: 1,
    },
  )
  if (method !== 'GET') assert.notEqual(call.body, 'none', 'a body is not overlooked')
  assert.deepEqual(
    [reply.status, reply.header('x-theirs'), reply.header('x-absent')],
    [418, 'short and stout', undefined],
  )
}

async function replayed(
  call: (request: { method: 'PUT'; body: string; headers: Record<string, string> }) => Promise<unknown>,
  far: { readonly heard: readonly { readonly body: string }[] },
): Promise<void> {
  const before = far.heard.length
  await call({ method: 'PUT', body: 'again', headers: { 'x-again': '1' } })
  for (const { body } of far.heard.slice(before))
    assert.equal(body, 'again', 'each attempt brings the whole body')
}

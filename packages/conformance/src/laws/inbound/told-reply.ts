import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performCall, type Interceptor, type Kit, type OutgoingCall } from '@waybill/core/adapter'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withInbound } from '../../stage/inbound-stage.js'

const TAGGED = [['clk', 'alice']] as const

/** Stands for `route`: tells who served. */
const telling: Interceptor = (next) => (call) => {
  call.note({ service: 'far', served: 'alice', reason: 'TAG_EXACT', notes: [], at: '127.0.0.1:4001' })
  return next(call)
}

const OUTGOING: OutgoingCall = {
  kind: 'http',
  url: new URL('http://far/'),
  method: 'GET',
  headers: () => undefined,
  body: 'none',
  idempotent: true,
}

/** A call to a service that tells in its own reply who served it. */
async function callFar(kit: Kit): Promise<void> {
  await performCall(kit, OUTGOING, () =>
    Promise.resolve({
      status: 200,
      header: (name) => (name === 'waybill-route' ? 'deep=@az-ci;BASELINE_ZONE' : undefined),
      value: undefined,
      done: Promise.resolve(),
    }),
  )
}

async function handler(request: IncomingMessage, response: ServerResponse, kit: Kit): Promise<void> {
  if (request.url === '/fails') throw new Error('fails')
  if (request.url === '/calls') await callFar(kit)
  if (request.url === '/set')
    response.setHeader('Cache-Control', 'public, max-age=60').setHeader('Vary', 'accept')
  else response.writeHead(200, { 'Cache-Control': 'public, max-age=60', Vary: 'accept' })
  response.end('ok')
  if (request.url === '/calls') await callFar(kit)
}

export const toldReply: Law<'told-reply', InboundHalf> = {
  name: 'told-reply',
  title:
    'a tagged reply is stored by no cache, an edge names what it reads, and who served is told to who may ask',
  async holds(half) {
    await aboutCaches(half)
    await aboutWhoServed(half)
  },
}

async function aboutCaches(half: InboundHalf): Promise<void> {
  await withInbound(half, { handler }, async ({ send }) => {
    for (const path of ['/set', '/write-head', '/fails']) {
      const { status, header } = await send({ path, headers: TAGGED })
      assert.equal(status, path === '/fails' ? 500 : 200)
      assert.equal(header('cache-control'), 'private, no-store', `a tagged reply (${path})`)
    }
    const { header } = await send({ path: '/set' })
    assert.equal(header('cache-control'), 'public, max-age=60', 'an untagged reply is the application’s')
    assert.equal(header('vary'), 'accept')
  })
  const trust = { edgeFrom: ['header:clk', 'cookie:clk'] }
  await withInbound(half, { handler, inbound: 'edge', kit: { trust } }, async ({ send }) => {
    for (const path of ['/set', '/write-head']) {
      for (const headers of [TAGGED, []]) {
        const names = (await send({ path, headers })).header('vary')?.split(/, */).sort()
        assert.deepEqual(names, ['accept', 'clk', 'cookie'], `each reply of an edge (${path})`)
      }
    }
  })
}

async function aboutWhoServed(half: InboundHalf): Promise<void> {
  const kit = { interceptors: [telling] }
  const told = 'far=alice;TAG_EXACT;at=127.0.0.1:4001, far/deep=@az-ci;BASELINE_ZONE'
  await withInbound(half, { handler, kit }, async ({ send }) => {
    const route = async (headers: readonly (readonly [string, string])[], path = '/calls') =>
      (await send({ path, headers })).header('waybill-route')
    assert.equal(await route(TAGGED), told, 'a tagged request is told')
    assert.equal(await route([]), undefined, 'an untagged one is not')
    assert.equal(await route([['waybill-explain', '1']]), told, 'unless it asks')
    assert.equal(await route([['clk', '!']], '/set'), '-=;INVALID_CLK', 'a refused tag is told')
  })
  await withInbound(half, { handler, kit, inbound: 'public' }, async ({ send }) => {
    const { header } = await send({ path: '/calls', headers: [...TAGGED, ['waybill-explain', '1']] })
    assert.equal(header('waybill-route'), undefined, 'a stranger is told nothing')
  })
}

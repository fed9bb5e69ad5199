import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { clksOverTime } from '../../stage/clks-over-time.js'
import { clkHere, factsHere } from '../../stage/facts-here.js'
import { withInbound } from '../../stage/inbound-stage.js'

const REQUESTS = 100
const CONNECTIONS = 10

export const isolated: Law<'isolated', InboundHalf> = {
  name: 'isolated',
  title: 'a hundred interleaved requests never see each other’s waybill, and after the request there is none',
  async holds(half) {
    await interleaved(half)
    await besideTheOpener(half)
    await afterTheRequest(half)
  },
}

async function interleaved(half: InboundHalf): Promise<void> {
  const handler = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seen = await clksOverTime(Number(request.headers['x-turn']))
    response.end(seen.join())
  }
  await withInbound(half, { handler }, async ({ send }) => {
    await overKeepAlive(CONNECTIONS, async (agent) => {
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, (_, turn) =>
          send({ agent, headers: [['x-turn', String(turn)], ...tagOf(turn)] }),
        ),
      )
      answers.forEach(({ text }, turn) => {
        const own = tagOf(turn)[0]?.[1] ?? 'untagged'
        assert.equal(text, [own, own, own, own].join(), `request ${String(turn)} sees its own waybill`)
      })
    })
  })
  assert.equal(tryCurrentWaybill(), undefined, 'no request reaches the code around it')
}

/** A server whose `listen` ran in a scope gives that scope to every connection. */
async function besideTheOpener(half: InboundHalf): Promise<void> {
  const handler = (_request: unknown, response: ServerResponse): unknown =>
    response.end(JSON.stringify(factsHere()))
  await withWaybill({ clk: 'opener', shardKey: '4711', depth: 5 }, () =>
    withInbound(half, { handler }, async ({ send }) => {
      assert.equal(
        (await send()).text,
        '{}',
        'a request has nothing of the scope in which the server was opened',
      )
    }),
  )
}

/** Switched off, the adapter shows what a connection has kept. */
async function afterTheRequest(half: InboundHalf): Promise<void> {
  const handler = (_request: unknown, response: ServerResponse): unknown =>
    response.end(clkHere() ?? 'untagged')
  await withInbound(half, { handler }, async ({ kit, send }) => {
    await overKeepAlive(1, async (agent) => {
      assert.equal((await send({ agent, headers: [['clk', 'alice']] })).text, 'alice')
      assert.equal((await send({ agent })).text, 'untagged', 'the next request of a connection is its own')
      kit.disable()
      assert.equal((await send({ agent })).text, 'none', 'a connection keeps no waybill')
    })
  })
}

function tagOf(turn: number): readonly (readonly [string, string])[] {
  return turn % 3 === 0 ? [] : [['clk', `tag-${String(turn)}`]]
}

async function overKeepAlive(connections: number, act: (agent: Agent) => Promise<void>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    await act(agent)
  } finally {
    agent.destroy()
  }
}

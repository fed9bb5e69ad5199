import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bindShardKey } from '@waybill/core'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { clkHere, factsHere } from '../../stage/facts-here.js'
import { withInbound } from '../../stage/inbound-stage.js'
import { lateCallbacks } from '../../stage/late-callbacks.js'
import { begin } from '../../wire/near-client.js'

const ALICE = [['clk', 'alice']] as const

export const lasting: Law<'lasting', InboundHalf> = {
  name: 'lasting',
  title: 'it holds on the error path, on abort, in streams, in late callbacks',
  async holds(half) {
    await onTheErrorPath(half)
    await inStreams(half)
    await onAbort(half)
    await inLateCallbacks(half)
  },
}

async function onTheErrorPath(half: InboundHalf): Promise<void> {
  const handlers = {
    'a handler that throws': () => {
      throw new Error('thrown')
    },
    'a handler that rejects': async () => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      throw new Error('rejected')
    },
  }
  for (const [title, handler] of Object.entries(handlers)) {
    const onError = (_error: unknown, _request: IncomingMessage, response: ServerResponse): void => {
      response.statusCode = 500
      response.end(clkHere() ?? 'untagged')
    }
    await withInbound(half, { handler, onError }, async ({ send }) => {
      const { status, text } = await send({ headers: ALICE })
      assert.deepEqual({ status, text }, { status: 500, text: 'alice' }, title)
    })
  }
}

async function inStreams(half: InboundHalf): Promise<void> {
  const readers: Record<string, (request: IncomingMessage, note: () => void) => Promise<unknown>> = {
    'data and end': (request, note) => once(request.on('data', note).on('end', note), 'end'),
    'for await': async (request, note) => {
      for await (const piece of request) if (piece !== undefined) note()
    },
    pipeline: (request, note) => {
      const transform = new Transform({
        transform(piece, _encoding, done) {
          note()
          done(null, piece)
        },
        flush(done) {
          note()
          done()
        },
      })
      return pipeline(request, transform.resume())
    },
  }
  for (const [title, read] of Object.entries(readers)) {
    const handler = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const seen = new Set<string | undefined>()
      await read(request, () => seen.add(clkHere()))
      seen.add(clkHere())
      response.end([...seen].join())
    }
    await withInbound(half, { handler }, async ({ send }) => {
      const { text } = await send({ method: 'POST', body: ['one ', 'two ', 'three'], headers: ALICE })
      assert.equal(text, 'alice', title)
    })
  }
}

async function onAbort(half: InboundHalf): Promise<void> {
  let arrived: () => void = () => undefined
  let closed: (clk: string | undefined) => void = () => undefined
  const arriving = new Promise<void>((resolve) => (arrived = resolve))
  const closing = new Promise<string | undefined>((resolve) => (closed = resolve))
  const handler = async (request: IncomingMessage): Promise<void> => {
    request.once('data', () => {
      arrived()
    })
    // An error without a listener would end the process; a request that is cut off has one.
    request.once('error', () => undefined)
    request.once('close', () => {
      closed(clkHere())
    })
    await new Promise((resolve) => request.once('close', resolve))
  }
  await withInbound(half, { handler }, async ({ port }) => {
    const request = begin(port, { method: 'POST', headers: ALICE })
    request.on('error', () => undefined)
    request.write('half of a body')
    await arriving
    request.destroy()
    assert.equal(await closing, 'alice', 'the request that is cut off')
  })
}

async function inLateCallbacks(half: InboundHalf): Promise<void> {
  const seen: Promise<unknown>[] = []
  const handler = (_request: IncomingMessage, response: ServerResponse): void => {
    bindShardKey('4711')
    response.end('ok')
    seen.push(...lateCallbacks(factsHere))
  }
  await withInbound(half, { handler }, async ({ send }) => {
    await send({ headers: ALICE })
    for (const facts of await Promise.all(seen)) {
      assert.deepEqual(facts, { clk: 'alice', shardKey: '4711' }, 'what runs after the answer')
    }
    assert.equal(seen.length, 6, 'the handler ran once')
  })
}

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { bindWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withOutbound, type OutboundStage } from '../../stage/outbound-stage.js'
import { closedPort } from '../../wire/closed-port.js'
import type { Answer } from '../../wire/far-server.js'

/** `/pieces` answers bit by bit, `/hang` never, `/reset` cuts the connection, anything else `ok`. */
const answer: Answer = async ({ url }, response, request) => {
  if (url === '/hang') return
  if (url === '/reset') {
    request.socket.destroy()
    return
  }
  if (url === '/pieces') {
    for (const piece of ['one ', 'two ']) {
      response.write(piece)
      await wait(5)
    }
  }
  response.end(url === '/pieces' ? 'three' : 'ok')
}

export const lasting: Law<'lasting', OutboundHalf> = {
  name: 'lasting',
  title: 'it holds on the error path, on abort, in streams, in late callbacks',
  async holds(half) {
    const dead = `127.0.0.1:${String(await closedPort())}`
    await withOutbound(half, { answer, kit: { services: { dead: { hosts: [dead] } } } }, async (stage) => {
      // Whoever opened a connection gave it her scope; the next one to use it must not see that.
      await withWaybill({ clk: 'opener' }, () => stage.call())
      await withWaybill({ clk: 'alice' }, async () => {
        await onTheErrorPath(stage, `http://${dead}/`)
        await onAbort(stage)
        await inStreams(stage)
      })
      await inLateCallbacks(stage)
    })
  },
}

async function onTheErrorPath({ call, far }: OutboundStage, dead: string): Promise<void> {
  for (const url of [dead, `${far.origin}/reset`]) {
    await assert.rejects(call({ url }), `${url} fails`)
    assert.equal(clkHere(), 'alice', 'who catches an error is in its scope')
    await call()
    assert.deepEqual(far.heard.at(-1)?.lines('clk'), ['alice'], 'the call after an error bears the waybill')
  }
}

async function onAbort({ call, far }: OutboundStage): Promise<void> {
  const controller = new AbortController()
  const hanging = call({ url: `${far.origin}/hang`, signal: controller.signal })
  const heard = far.heard.length
  while (far.heard.length === heard) await wait(2)
  controller.abort()
  await assert.rejects(hanging, 'an aborted call rejects')
  assert.equal(clkHere(), 'alice', 'who aborts is in its scope')
  assert.deepEqual(far.heard.at(-1)?.lines('clk'), ['alice'], 'the aborted call bore the waybill')
  await assert.rejects(call({ signal: AbortSignal.abort() }), 'a call that is aborted before rejects')
}

async function inStreams({ call, far }: OutboundStage): Promise<void> {
  const seen = new Set<string | undefined>()
  let text = ''
  await call({
    url: `${far.origin}/pieces`,
    read(piece) {
      text += piece
      seen.add(clkHere())
    },
  })
  assert.equal(text, 'one two three')
  assert.deepEqual([...seen], ['alice'], 'who reads a reply is in its scope')
}

async function inLateCallbacks({ call, far }: OutboundStage): Promise<void> {
  const late: Promise<unknown>[] = []
  let bound: () => Promise<unknown> = () => Promise.resolve()
  withWaybill({ clk: 'bob' }, () => {
    late.push(wait(10).then(() => call()))
    late.push(new Promise((resolve) => setImmediate(() => resolve(call()))))
    bound = bindWaybill(() => call())
  })
  late.push(bound())
  const before = far.heard.length
  await Promise.all(late)
  const calls = far.heard.slice(before)
  assert.equal(calls.length, 3)
  for (const heard of calls) assert.deepEqual(heard.lines('clk'), ['bob'], 'a late call bears its waybill')
}

import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound, type OutboundStage } from '../../stage/outbound-stage.js'
import { farServer, type FarServer } from '../../wire/far-server.js'

const FOREIGN = 'vendor=a;p=1,other=b%20c,empty='

export const ownHeaders: Law<'own-headers', OutboundHalf> = {
  name: 'own-headers',
  title: 'the caller’s own headers survive, and existing baggage is merged',
  async holds(half) {
    const stranger = await farServer()
    try {
      await withOutbound(half, {}, async (stage) => {
        for (const name of ['baggage', 'Baggage', 'BAGGAGE']) {
          await merged(stage, stage.far, name)
          await merged(stage, stranger, name)
        }
      })
    } finally {
      await stranger.close()
    }
  },
}

async function merged({ call, far }: OutboundStage, to: FarServer, name: string): Promise<void> {
  const headers = {
    'X-Mine': '1',
    authorization: 'Bearer token',
    'content-type': 'text/plain',
    [name]: FOREIGN,
  }
  const before = { ...headers }
  const send = (): Promise<unknown> => call({ url: `${to.origin}/`, method: 'POST', body: 'text', headers })
  await withWaybill({ clk: 'alice' }, send)
  assert.deepEqual(headers, before, 'the caller’s headers are not written to')
  const heard = to.heard.at(-1)
  assert.ok(heard)
  assert.deepEqual(heard.lines('x-mine'), ['1'])
  assert.deepEqual(heard.lines('authorization'), ['Bearer token'])
  assert.deepEqual(heard.lines('content-type'), ['text/plain'])
  assert.equal(heard.body, 'text')
  const expected = to === far ? `clk=alice,waybill-depth=1,${FOREIGN}` : FOREIGN
  assert.deepEqual(heard.lines('baggage'), [expected], `one ${name}: ours first, theirs byte for byte`)
}

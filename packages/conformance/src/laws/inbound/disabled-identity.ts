import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { recordEvents } from '@waybill/core/testing'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withInbound, type InboundStage } from '../../stage/inbound-stage.js'

function handler(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Cache-Control', 'public')
  if (Object.hasOwn(request, 'emit')) response.setHeader('x-emit', 'shadowed')
  response.end(clkHere() ?? 'untagged')
}

async function traffic({ port, send }: InboundStage): Promise<unknown> {
  const answers = []
  for (const request of [{}, { method: 'POST', body: ['a ', 'body'] }]) {
    for (const clk of ['alice', 'not valid!']) {
      const headers = [
        ['clk', clk],
        ['waybill-explain', '1'],
      ] as const
      const { status, headers: lines, text } = await send({ ...request, headers })
      answers.push({ status, lines, text })
    }
  }
  return JSON.parse(JSON.stringify(answers).replaceAll(String(port), 'port'))
}

export const disabledIdentity: Law<'disabled-identity', InboundHalf> = {
  name: 'disabled-identity',
  title: 'disabled, the adapter is the identity',
  async holds(half) {
    for (const inbound of ['peer', 'edge'] as const) {
      let bare: unknown
      await withInbound(half, { handler, inbound, bare: true }, async (stage) => {
        bare = await traffic(stage)
      })
      for (const when of ['from the start', 'later']) {
        const kit = { disabled: when === 'from the start' }
        await withInbound(half, { handler, inbound, kit }, async (stage) => {
          if (when === 'later') {
            await stage.send({ headers: [['clk', 'alice']] })
            stage.kit.disable()
          }
          const events = recordEvents(['adopted'])
          try {
            assert.deepEqual(await traffic(stage), bare, `${inbound}, disabled ${when}: as the bare host`)
            assert.deepEqual(events.all, [], 'nothing is adopted')
          } finally {
            events.stop()
          }
        })
      }
    }
  },
}

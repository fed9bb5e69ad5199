import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { WaybillError, type AdmittedArrival, type Interceptor } from '@waybill/core/adapter'
import { recordEvents } from '@waybill/core/testing'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withInbound } from '../../stage/inbound-stage.js'

const pass: Interceptor = (next) => next
/** Lets in what bears no tag or `alice`, as a process does that serves her. */
const onlyAlice: Interceptor = Object.assign(pass, {
  admit: ({ waybill: { clk } }: AdmittedArrival) =>
    clk === undefined || clk === 'alice' ? undefined : new WaybillError('ERR_WAYBILL_MISDIRECTED', { clk }),
})

export const admission: Law<'admission', InboundHalf> = {
  name: 'admission',
  title:
    'what may not come in is answered with its code and reaches no handler, also where the kit is disabled',
  async holds(half) {
    for (const disabled of [false, true]) {
      const handled: (string | undefined)[] = []
      const handler = (_request: unknown, response: { end(text: string): unknown }): void => {
        handled.push(clkHere())
        response.end('handled')
      }
      const kit = { interceptors: [onlyAlice], disabled }
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const events = recordEvents(['refused'])
      await withInbound(half, { handler, kit }, async ({ send }) => {
        // One connection for all: an unread body must not be taken for the next request.
        for (const request of [{}, { method: 'POST', body: ['a ', 'body'] }]) {
          const refused = await send({ agent, ...request, headers: [['clk', 'bob']] })
          assert.equal(refused.status, 421, 'a tag that is not served here')
          assert.equal(refused.header('waybill-refused'), 'ERR_WAYBILL_MISDIRECTED')
          assert.deepEqual(handled, [], 'no handler runs')
        }
        for (const headers of [[['clk', 'alice']], []] as const) {
          const { status, text, header } = await send({ agent, headers })
          assert.deepEqual({ status, text }, { status: 200, text: 'handled' })
          assert.equal(header('waybill-refused'), undefined)
        }
      }).finally(() => {
        agent.destroy()
        events.stop()
      })
      assert.equal(events.all.length, 2, 'each refusal is published once')
      assert.deepEqual(handled, disabled ? ['none', 'none'] : ['alice', undefined])
    }
  },
}

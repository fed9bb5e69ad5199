import assert from 'node:assert/strict'
import { sentOf, type Interceptor, type Target } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound } from '../../stage/outbound-stage.js'
import { closedPort } from '../../wire/closed-port.js'

export const targetOnly: Law<'target-only', OutboundHalf> = {
  name: 'target-only',
  title:
    'a target changes where the connection goes and nothing else; one that is not there is told as not sent',
  async holds(half) {
    let target: Target | undefined
    const dead = await closedPort()
    const sent: string[] = []
    const aiming: Interceptor = (next) => async (call) => {
      if (target === undefined) return next(call)
      if (call.headers('x-dead-first') === undefined || call.body === 'stream')
        return next({ ...call, target })
      try {
        return await next({ ...call, target: { ...target, port: dead } })
      } catch (error) {
        sent.push(sentOf(error))
        return next({ ...call, attempt: 2, target })
      }
    }
    await withOutbound(half, { kit: { interceptors: [aiming] } }, async ({ call, far }) => {
      const at: Target = { host: '127.0.0.1', port: far.port, tls: false }
      const request = { url: 'http://far/stock/42?full=1', method: 'POST', body: 'text' } as const
      const heard = async (to: Target, headers: Record<string, string> = {}): Promise<unknown> => {
        target = to
        const { status, text } = await withWaybill({ clk: 'alice' }, () => call({ ...request, headers }))
        assert.deepEqual({ status, text }, { status: 200, text: 'ok' })
        const one = far.heard.at(-1)
        return [one?.lines('host'), one?.method, one?.url, one?.body, one?.lines('clk')]
      }
      const whole = [['far'], 'POST', '/stock/42?full=1', 'text', ['alice']]
      assert.deepEqual(await heard(at), whole, 'Host, path and body are the service’s')
      assert.deepEqual(await heard({ ...at, path: '/x?y=1' }), [['far'], 'POST', '/x?y=1', 'text', ['alice']])
      assert.deepEqual(
        await heard({ ...at, authority: 'other.test' }),
        [['other.test'], 'POST', '/stock/42?full=1', 'text', ['alice']],
        'but where the target names another authority',
      )
      assert.deepEqual(await heard(at, { 'x-dead-first': '1' }), whole, 'a second attempt is the same call')
      assert.deepEqual([...new Set(sent)].join(), sent.length === 0 ? '' : 'no', 'nobody listened')
    })
  },
}

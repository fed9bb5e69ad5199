import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createKit, tryCurrentWaybill } from '@waybill/core'
import { expect, test } from 'vitest'
import { aliceAlone } from '../../test/alice-alone.js'
import { listen, raw } from '../../test/loopback.js'
import { waybillListener, waybillUpgradeListener } from './index.js'

test('upgrades pass by the listener as without the kit', async () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  const server = createServer(waybillListener(kit, () => {}))
  server.on('upgrade', (_req, socket: Socket) => {
    socket.end(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhello`)
  })
  const port = await listen(server)
  const answer = await raw(
    port,
    'GET / HTTP/1.1\r\nHost: order\r\nclk: me\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 101 [^]*hello$/)
})

test.each([false, true])(
  'the handshake of a websocket is adopted and looked at (disabled: %s)',
  async (disabled) => {
    const onlyAlice = aliceAlone(disabled)
    const server = createServer()
    const listener = waybillUpgradeListener(onlyAlice, (_req: IncomingMessage, socket: Socket) => {
      socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${tryCurrentWaybill()?.clk ?? 'none'}`)
    })
    server.on('upgrade', waybillUpgradeListener(onlyAlice, listener))
    const port = await listen(server)
    const upgrade = (clk: string): Promise<string> =>
      raw(
        port,
        `GET / HTTP/1.1\r\nHost: order\r\nclk: ${clk}\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n`,
      )
    expect(await upgrade('alice')).toMatch(disabled ? /none$/ : /alice$/)
    expect(await upgrade('bob')).toMatch(
      /^HTTP\/1\.1 421 Misdirected Request\r\nwaybill-refused: ERR_WAYBILL_MISDIRECTED\r\n[^]*\r\n\r\nERR_WAYBILL_MISDIRECTED: /,
    )
    expect(onlyAlice.counters.adopted).toBe(disabled ? 0 : 2)
  },
)

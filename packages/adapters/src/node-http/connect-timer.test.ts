import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Target } from '@waybill/core/adapter'
import { connectTimer } from './connect-timer.js'
import { openConnection } from './connection.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** As a breakpoint does. */
function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test.each([
  ['a little longer than connectMs', 60],
  ['much longer', 300],
])('a caller that stood still, %s, hears of the connection that was made meanwhile', async (_, ms) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const target: Target = { host: '127.0.0.1', port, tls: false, connectMs: 50 }
  for (let turns = 0; turns < 3; turns++) {
    const heard = new Promise<unknown>((resolve) => {
      setImmediate(() => {
        const socket = openConnection(target, {}).on('error', resolve)
        socket.on('connect', () => {
          socket.destroy()
          resolve('connected')
        })
        standStill(ms)
      })
    })
    for (let count = 0; count < turns; count++) await turn()
    expect(await heard).toBe('connected')
  }
})

test('it gets the full time once more, once', async () => {
  let late = 0
  connectTimer(100, () => late++)
  standStill(300)
  for (let count = 0; count < 4; count++) await turn()
  expect(late).toBe(0)
  // Out of time again, and this time in vain.
  standStill(300)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(late).toBe(1)
})

test('what is stopped is not late, whenever it is stopped', async () => {
  let late = 0
  const stop = connectTimer(1, () => late++)
  setTimeout(stop, 1)
  const stopAtOnce = connectTimer(1, () => late++)
  stopAtOnce()
  // Both are due by then, and the timers run in their order.
  standStill(3)
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(late).toBe(0)
})

import { farServer } from '@waybill/conformance/wire'
import { startHaproxy } from '@waybill/servers/haproxy'
import { startNginx } from '@waybill/servers/nginx'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePorts } from '../servers/machine/free-ports.mjs'
import { proxiesAtHand } from './proxies-at-hand.js'

vi.mock(import('../servers/machine/free-ports.mjs'), async (original) => {
  const { freePorts } = await original()
  return { freePorts: vi.fn(freePorts) }
})

proxiesAtHand()

test.each([
  ['nginx', startNginx],
  ['HAProxy', startHaproxy],
] as const)('a port that somebody took before %s could is left to them', async (_, start) => {
  const other = await farServer()
  onTestFinished(other.close)
  vi.mocked(freePorts).mockResolvedValueOnce([other.port])

  const proxy = await start({ to: `127.0.0.1:${String(other.port)}` })
  onTestFinished(() => proxy.stop())
  expect(proxy.url).not.toBe(other.origin)
  expect(await (await fetch(proxy.url)).text()).toBe('ok')
})

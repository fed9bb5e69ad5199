import type * as AsyncHooks from 'node:async_hooks'
import { createKit } from '@waybill/core'
import { expect, test, vi } from 'vitest'
import { watchScopes } from './index.js'

// A runtime that has the hook and tells nothing, as some that are compatible with Node.
vi.mock('node:async_hooks', async (importOriginal) => {
  const hook = { enable: () => hook, disable: () => hook }
  return { ...(await importOriginal<typeof AsyncHooks>()), createHook: () => hook }
})

test('a runtime that does not tell of its timers is refused, and what is missing named', () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  expect(() => watchScopes(kit)).toThrow(
    expect.objectContaining({
      code: 'ERR_WAYBILL_CONFIGURATION',
      facts: expect.objectContaining({
        call: 'watchScopes(kit)',
        problem: expect.stringContaining('repeating Timeout, Timeout, Immediate, TCPWRAP, UDPWRAP'),
      }),
      remedy: 'Leave watchScopes out on this runtime.',
    }),
  )
})

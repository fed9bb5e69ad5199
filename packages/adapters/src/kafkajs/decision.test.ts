import { createKit } from '@waybill/core'
import { expect, test, vi } from 'vitest'
import { waybillConsumer } from './consumer.js'
import type { BatchPayload, MessagePayload, RunConfig } from './kafka-shape.js'

const kit = createKit({ service: 'order', environment: 'test', baseline: true })

test.each([
  ['handle', true, '0'],
  ['skip', false, '1'],
  ['hold', 'no decision about a message: hold', undefined],
])('%s means the same to eachMessage and to eachBatch', async (decision, outcome, resolved) => {
  const run = vi.fn((_config?: unknown) => Promise.resolve())
  const consumer = waybillConsumer(kit, { run, on: () => () => undefined }, () => decision as 'handle')
  const message = { offset: '1' }
  const handled = vi.fn(() => Promise.resolve())
  const outcomeOf = async (
    config: RunConfig,
    call: (own: Required<RunConfig>) => unknown,
  ): Promise<unknown> => {
    handled.mockClear()
    await consumer.run(config)
    try {
      await call(run.mock.lastCall?.[0] as Required<RunConfig>)
      return handled.mock.calls.length > 0
    } catch (error) {
      return (error as Error).message
    }
  }
  const single: MessagePayload = { topic: 'orders', message }
  expect(await outcomeOf({ eachMessage: handled }, ({ eachMessage }) => eachMessage?.(single))).toBe(outcome)

  const resolveOffset = vi.fn()
  const batch: BatchPayload = {
    batch: { topic: 'orders', messages: [{ offset: '0' }, message] },
    resolveOffset,
    heartbeat: () => Promise.resolve(),
    isRunning: () => true,
    isStale: () => false,
  }
  const eachBatch: NonNullable<RunConfig['eachBatch']> = ({ resolveOffset: resolve }) => {
    resolve('0')
    return handled()
  }
  expect(await outcomeOf({ eachBatch }, (own) => own.eachBatch?.(batch))).toBe(outcome)
  expect(resolveOffset.mock.lastCall?.[0]).toBe(resolved)
})

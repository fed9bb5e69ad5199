import assert from 'node:assert/strict'
import type { KitOptions } from '@waybill/core'
import type { Interceptor, Kit } from '@waybill/core/adapter'
import { recordEvents } from '@waybill/core/testing'

/** When a kit was disabled. */
export type DisabledWhen = 'from the start' | 'later'

/**
 * Looks at a hop whose kit was disabled from the start, and at one whose kit is disabled after it was used once. Besides
 * what `look` asserts, no interceptor runs and nothing is published.
 * @param open opens a hop with these options of a kit.
 * @param use uses it once.
 */
export async function whileDisabled<Stage extends { readonly kit: Kit }>(
  open: (kit: KitOptions, act: (stage: Stage) => Promise<void>) => Promise<void>,
  use: (stage: Stage) => Promise<unknown>,
  look: (stage: Stage, when: DisabledWhen) => Promise<void>,
): Promise<void> {
  for (const when of ['from the start', 'later'] as const) {
    let intercepted = 0
    const counting: Interceptor = (next) => (call) => {
      intercepted++
      return next(call)
    }
    await open({ disabled: when === 'from the start', interceptors: [counting] }, async (stage) => {
      if (when === 'later') {
        await use(stage)
        stage.kit.disable()
      }
      intercepted = 0
      const events = recordEvents(['injected', 'settled', 'refused', 'dropped', 'conflict', 'lost'])
      try {
        await look(stage, when)
        assert.deepEqual({ intercepted, events: events.all }, { intercepted: 0, events: [] })
      } finally {
        events.stop()
      }
    })
  }
}

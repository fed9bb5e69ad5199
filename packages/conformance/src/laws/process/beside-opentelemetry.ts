import assert from 'node:assert/strict'
import type { Law } from '../../law.js'
import type { ProcessLaw, ProcessRecord } from '../../process-record.js'
import { runChild } from '../../process/run-child.js'

interface Journey {
  /** By the place: the waybill there, or what was on the wire; and what the kit has counted and published. */
  readonly seen: Readonly<Record<string, unknown>>
  /**
   * How many of the far server's requests bore a trace: none without an SDK, all with one. A client that was made before
   * the SDK may go untraced.
   */
  readonly traced: number
}

/** One without `otelWaybill()`, the others with it, by when the SDK was registered. */
type Journeys = Readonly<Record<'bare' | 'never' | 'late' | 'before', Journey>>

const ALICES = { clk: 'alice', shardKey: '42', hopCount: 1, depth: 1 }
/** Three clients call, each a service and a stranger. */
const CALLS = 6
const TRACED = {
  never: (calls: number) => calls === 0,
  late: (calls: number) => calls > 0,
  before: (calls: number) => calls === CALLS,
}

export const besideOpenTelemetry: Law<Extract<ProcessLaw, 'beside-opentelemetry'>, ProcessRecord> = {
  name: 'beside-opentelemetry',
  title: 'the same with no OpenTelemetry SDK, with one, with one registered late',
  async holds(record) {
    const { bare, ...beside } = await runChild<Journeys>('beside-opentelemetry', record)
    assert.deepEqual(bare.seen['express, at the end'], ALICES, 'the journey is made to its end')
    for (const [sdk, { seen, traced }] of Object.entries(beside)) {
      assert.deepEqual(seen, bare.seen, `what is seen where the SDK is registered ${sdk}`)
      assert.ok(TRACED[sdk as keyof typeof TRACED](traced), `${sdk}: ${String(traced)} calls were traced`)
    }
  },
}

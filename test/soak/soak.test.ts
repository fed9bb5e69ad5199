import { expect, test, type TestContext } from 'vitest'
import type { Sample } from './server-process.mjs'
import { isFlat, slopeOf, type Slope } from './slope.js'
import { SoakedServer, type Leak, type Load } from './soaked-server.js'

interface Plan {
  /** Before the first sample: what is compiled, pooled and remembered comes to its size. */
  readonly warmUp: Load
  readonly samples: number
  /** Between two samples. */
  readonly each: Load
  readonly leak?: Leak
}

interface Finding {
  readonly slope: Slope
  readonly last: Sample
}

async function soak(test: TestContext, { warmUp, samples, each, leak }: Plan): Promise<Finding> {
  const server = await SoakedServer.start(leak)
  test.onTestFinished(() => server.stop())
  await server.press(warmUp, 'alike')
  let last = await server.sample()
  const points = [{ done: 0, bytes: last.bytes }]
  for (let at = 1; at < samples; at++) {
    await server.press(each)
    last = await server.sample()
    points.push({ done: at * (each.requests + each.messages), bytes: last.bytes })
  }
  return { slope: slopeOf(points), last }
}

// Beside each other: a server keeps one core busy, and its clients little of the other.
test.concurrent(
  '200,000 requests and messages, kept alive, broken off, refused and failed, with timers and a worker, leave the heap as it was and the process without a warning',
  async (context) => {
    const { slope, last } = await soak(context, {
      warmUp: { requests: 10_000, messages: 10_000 },
      samples: 21,
      each: { requests: 4_000, messages: 6_000 },
    })
    expect(isFlat(slope), `bytes per request or message: ${JSON.stringify(slope)}`).toBe(true)
    expect(last.warnings).toEqual([])
    for (const [what, count] of Object.entries(last.seen)) expect(count, what).toBeGreaterThan(500)
  },
)

const LEAKS: readonly (readonly [Leak, Load])[] = [
  ['waybills of requests', { requests: 1_500, messages: 0 }],
  ['waybills of messages', { requests: 0, messages: 2_000 }],
  ['objects', { requests: 2_500, messages: 0 }],
]

test.concurrent.for(LEAKS)('a server that keeps %s is found out', async ([leak, each], context) => {
  const warmUp = { requests: 3 * each.requests, messages: 3 * each.messages }
  const { slope } = await soak(context, { warmUp, samples: 13, each, leak })
  expect(isFlat(slope), `bytes per request or message: ${JSON.stringify(slope)}`).toBe(false)
  expect(slope.low).toBeGreaterThan(16)
})

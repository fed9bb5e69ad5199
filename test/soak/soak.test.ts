import { expect, onTestFinished, test } from 'vitest'
import type { Sample } from './server-process.mjs'
import { isFlat, slopeOf, type Slope } from './slope.js'
import { SoakedServer, type Leak } from './soaked-server.js'

interface Plan {
  /** Requests before the first sample: what is compiled, pooled and remembered comes to its size. */
  readonly warmUp: number
  readonly samples: number
  /** Requests between two samples. */
  readonly each: number
  readonly leak?: Leak
}

interface Finding {
  readonly slope: Slope
  readonly last: Sample
}

async function soak({ warmUp, samples, each, leak }: Plan): Promise<Finding> {
  const server = await SoakedServer.start(leak)
  onTestFinished(() => server.stop())
  await server.press(warmUp, 'alike')
  let last = await server.sample()
  const points = [{ requests: 0, bytes: last.bytes }]
  for (let at = 1; at < samples; at++) {
    await server.press(each)
    last = await server.sample()
    points.push({ requests: at * each, bytes: last.bytes })
  }
  return { slope: slopeOf(points), last }
}

test('200,000 requests, kept alive, broken off, refused and failed, leave the heap as it was and the process without a warning', async () => {
  const { slope, last } = await soak({ warmUp: 20_000, samples: 21, each: 9_000 })
  expect(isFlat(slope), `bytes per request: ${JSON.stringify(slope)}`).toBe(true)
  expect(last.warnings).toEqual([])
  for (const [what, count] of Object.entries(last.seen)) expect(count, what).toBeGreaterThan(500)
})

test.each<Leak>(['waybills', 'objects'])('a server that keeps %s is found out', async (leak) => {
  const { slope } = await soak({ warmUp: 4_000, samples: 9, each: 1_500, leak })
  expect(isFlat(slope), `bytes per request: ${JSON.stringify(slope)}`).toBe(false)
  expect(slope.low).toBeGreaterThan(16)
})

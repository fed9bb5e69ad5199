import { createServer } from 'node:http'
import { fetchWaybill } from '@waybill/adapters/fetch'
import { waybillListener } from '@waybill/adapters/node-http'
import { listenOnLoopback } from '@waybill/conformance/wire'
import { createKit, WaybillError } from '@waybill/core'
import { onTestFinished } from 'vitest'

/** How a circle has ended. */
export interface Ended {
  readonly status: number
  readonly text: string
  /** How often its one service of a kit was reached. */
  readonly laps: number
}

/**
 * Sends a request to a service of a kit that calls itself for each that comes in, and hands the answer on.
 * @param way what stands in between: gives the URL by which the service, at this origin, is called.
 */
export async function circle(way: (origin: string) => Promise<string> | string): Promise<Ended> {
  const kit = createKit({ service: 'round', environment: 'test', trust: { outbound: ['127.0.0.1'] } })
  const call = fetchWaybill(kit)
  let url = ''
  const next = async (): Promise<{ status: number; text: string }> => {
    try {
      const response = await call(url)
      return { status: response.status, text: await response.text() }
    } catch (error) {
      // As every failure of fetch, a refusal is the cause of a TypeError.
      const refusal = (error as Error).cause
      if (refusal instanceof WaybillError) return { status: refusal.status ?? 500, text: refusal.code }
      return { status: 500, text: String(refusal) }
    }
  }
  const server = createServer(
    waybillListener(kit, (_, res) => {
      void next().then(({ status, text }) => res.writeHead(status).end(text))
    }),
  )
  const { port, close } = await listenOnLoopback(server)
  onTestFinished(close)
  url = await way(`http://127.0.0.1:${String(port)}`)
  const { status, text } = await next()
  return { status, text, laps: kit.counters.adopted }
}

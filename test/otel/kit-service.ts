import { createServer } from 'node:http'
import { waybillListener } from '@waybill/adapters/node-http'
import { listenOnLoopback } from '@waybill/conformance/wire'
import { createKit, currentWaybill, type Kit, type KitOptions } from '@waybill/core'
import { onTestFinished } from 'vitest'

/** What a service of the kit has adopted, and the headers that it came with. */
export interface Adopted {
  readonly clk?: string
  readonly shardKey?: string
  readonly targetUnit?: string
  readonly hopCount: number
  readonly depth: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A service at the end of a way: it answers each request with what it has {@link Adopted}. */
export interface KitService {
  readonly kit: Kit
  readonly origin: string
  /** `host:port` */
  readonly host: string
  /** The first that it has adopted, for a test that gets no answer of it. */
  readonly first: Promise<Adopted>
}

/** Ends when the test is over. */
export async function kitService(trust: KitOptions['trust'] = {}): Promise<KitService> {
  const kit = createKit({ service: 'end', environment: 'test', trust })
  let tell: (adopted: Adopted) => void
  const first = new Promise<Adopted>((resolve) => {
    tell = resolve
  })
  const server = createServer(
    waybillListener(kit, ({ headers }, res) => {
      const { clk, shardKey, targetUnit, hopCount, depth } = currentWaybill()
      const text = JSON.stringify({ clk, shardKey, targetUnit, hopCount, depth, headers })
      tell(JSON.parse(text) as Adopted)
      res.end(text)
    }),
  )
  const { port, close } = await listenOnLoopback(server)
  onTestFinished(close)
  const host = `127.0.0.1:${String(port)}`
  return { kit, origin: `http://${host}`, host, first }
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('services/otel-only.cjs', import.meta.url))

/** A client of the service in between. */
export type RelayClient = 'axios' | 'fetch' | 'http' | 'undici'

/** What the service in between does with one request. */
export interface Relay {
  /** The URL that it calls. */
  readonly to: string
  /** Default `fetch`. */
  readonly by?: RelayClient
  /** Entries that it puts into OpenTelemetry's baggage. Default: none. */
  readonly entries?: Readonly<Record<string, string>>
  /** A `baggage` header that it puts on the call by hand. Default: none. */
  readonly header?: string
  /** True: its instrumentation is told to ignore the path. Default false. */
  readonly ignored?: boolean
}

/** What the service in between does with the messages of a topic. */
export interface Consume {
  /** The topic, which no other consumer shares. */
  readonly from: string
  /** The topic that it sends to, or the URL that it calls with `fetch`, for each message. */
  readonly to: string
  readonly by: 'eachMessage' | 'eachBatch'
  /** `kept`: the headers of the message are put on the next. Default: it has none. */
  readonly headers?: 'kept'
}

/** A service with OpenTelemetry and without Waybill, in a process of its own. */
export interface OtelOnlyService {
  readonly origin: string
  /** A call of this URL is relayed, and answered with what comes back. */
  relay(relay: Relay): string
  /** A call of this URL sends a message to a topic. */
  produce(to: string): string
  /** Consumes from now on. */
  consume(plan: Consume): Promise<void>
  stop(): Promise<void>
}

/** @param env beside that of the test. */
export async function startOtelOnly(env: Readonly<Record<string, string>> = {}): Promise<OtelOnlyService> {
  const child = fork(PROGRAM, { execArgv: [], env: { ...process.env, ...env } })
  const ended = once(child, 'exit')
  const [origin] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`the service ended with ${String(code)} before it listened`)
    }),
  ])) as [string]
  const url = (path: string, query: object): string =>
    `${origin}${path}?${new URLSearchParams(query as Record<string, string>).toString()}`
  return {
    origin,
    relay: ({ to, by = 'fetch', entries = {}, header, ignored = false }) =>
      url(ignored ? '/ignored' : '/relay', {
        to,
        by,
        entries: JSON.stringify(entries),
        ...(header === undefined ? {} : { header }),
      }),
    produce: (to) => url('/produce', { to }),
    async consume(plan) {
      const { status } = await fetch(url('/consume', plan))
      if (status !== 200) throw new Error(`the service answered ${String(status)}`)
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

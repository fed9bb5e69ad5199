import { fileURLToPath } from 'node:url'
import { startService, type ServiceProcess } from './service-process.js'

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
export interface OtelOnlyService extends ServiceProcess {
  /** A call of this URL is relayed, and answered with what comes back. */
  relay(relay: Relay): string
  /** A call of this URL sends a message to a topic. */
  produce(to: string): string
  /** Consumes from now on. */
  consume(plan: Consume): Promise<void>
}

/** @param env beside that of the test. */
export async function startOtelOnly(env: Readonly<Record<string, string>> = {}): Promise<OtelOnlyService> {
  const service = await startService(PROGRAM, { env })
  const url = (path: string, query: object): string =>
    `${service.origin}${path}?${new URLSearchParams(query as Record<string, string>).toString()}`
  return {
    ...service,
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
  }
}

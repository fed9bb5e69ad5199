import { createContextKey, type Context, type Span } from '@opentelemetry/api'

/** What instrumentations of servers keep of a request, in the context of it. */
export interface ServerRequest {
  readonly span?: Span
}

/** The key of `setRPCMetadata` in `@opentelemetry/core`, which is no peer. */
const RPC_METADATA = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')

/** The request that a context belongs to, where an instrumentation knows it. There is one object for each request. */
export function serverRequestIn(held: Context): ServerRequest | undefined {
  return held.getValue(RPC_METADATA) as ServerRequest | undefined
}

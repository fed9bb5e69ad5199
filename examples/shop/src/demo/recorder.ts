/**
 * Loaded with a service's telemetry: keeps the spans of the process and the header lines of each request that comes in,
 * until the demo asks for them.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-node'
import { RECORDED, type Arrival, type RecordedSpan, type Recording } from './recording.js'

/** Where the SDK of this process exports to. */
export const keptSpans = new InMemorySpanExporter()

const arrivals: Arrival[] = []

subscribe('http.server.request.start', (message) => {
  arrivals.push({ lines: (message as { readonly request: IncomingMessage }).request.rawHeaders })
})

process.on('message', (asked) => {
  if (asked !== RECORDED) return
  const recording: Recording = {
    spans: keptSpans.getFinishedSpans().map(plainSpan),
    arrivals: arrivals.splice(0),
  }
  keptSpans.reset()
  process.send?.(recording)
})

function plainSpan(span: ReadableSpan): RecordedSpan {
  const { traceId, spanId } = span.spanContext()
  return {
    traceId,
    id: spanId,
    parent: span.parentSpanContext?.spanId,
    kind: span.kind,
    name: span.name,
    attributes: span.attributes,
    events: span.events,
    links: span.links,
    status: span.status,
    resource: span.resource.attributes,
  }
}

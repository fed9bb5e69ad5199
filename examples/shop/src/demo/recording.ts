import type { Attributes, Link, SpanKind, SpanStatus } from '@opentelemetry/api'

/** What the demo sends to a process, to be answered with a {@link Recording}. */
export const RECORDED = 'recorded'

/** What one process has seen of the requests that went through it. */
export interface Recording {
  readonly spans: readonly RecordedSpan[]
  readonly arrivals: readonly Arrival[]
}

/** A span that has ended, as plain data. */
export interface RecordedSpan {
  readonly traceId: string
  readonly id: string
  /** The span that it is part of, most often of another process where this one is of kind server. */
  readonly parent: string | undefined
  readonly kind: SpanKind
  readonly name: string
  readonly attributes: Attributes
  readonly events: readonly { readonly name: string; readonly attributes?: Attributes }[]
  readonly links: readonly Link[]
  readonly status: SpanStatus
  /** The process: its `service.name`, and `service.instance.id` where it is one of several. */
  readonly resource: Attributes
}

/** A request as it came in. */
export interface Arrival {
  /** Its header lines as they stood on the wire: name, value, name, value … */
  readonly lines: readonly string[]
}

/** The values of each header line of that name: two where a header was doubled. */
export function headerLines({ lines }: Arrival, name: string): readonly string[] {
  return lines.filter((_, index) => index % 2 === 1 && lines[index - 1]?.toLowerCase() === name)
}

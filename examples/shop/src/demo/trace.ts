import { SpanKind, type Attributes } from '@opentelemetry/api'
import { headerLines, type Arrival, type RecordedSpan } from './recording.js'

/** A request that came in somewhere, and of whom, if it was one outside of the fleet. */
export interface Arrived extends Arrival {
  readonly stranger?: string
}

/** One station of a trace: a request that came in, with what its span says of the waybill. */
export interface Visit {
  readonly service: string
  /** Which instance of it, as its spans say. Undefined: there is one only. */
  readonly servedBy: string | undefined
  /** Whether it is outside of the fleet, and makes no spans. */
  readonly stranger: boolean
  /** Undefined: no tag, or no kit. */
  readonly clk: string | undefined
  /** Undefined: no kit. */
  readonly hopCount: number | undefined
  /** Undefined: no key when the span was begun, or no kit. */
  readonly shardHash: string | undefined
  /** The lines of that header, as they came. */
  readonly baggage: readonly string[]
  readonly next: readonly Visit[]
}

/** The id of the trace that a request belongs to and of the span that sent it. Empty: it bears no `traceparent`. */
export function traceOf(arrival: Arrival): { readonly id: string; readonly sender: string } {
  const [, id = '', sender = ''] = (headerLines(arrival, 'traceparent')[0] ?? '').split('-')
  return { id, sender }
}

/** What is known of one trace so far: the spans of all processes, and the requests that came in. */
export class Trace {
  readonly #spans = new Map<string, RecordedSpan>()
  /** Spans of requests, by the span that sent the request. */
  readonly #handlers = new Map<string, RecordedSpan>()
  readonly #arrivals: Arrived[] = []

  ended(span: RecordedSpan): void {
    this.#spans.set(span.id, span)
    if (span.kind === SpanKind.SERVER && span.parent !== undefined) this.#handlers.set(span.parent, span)
  }

  arrived(arrival: Arrived): void {
    this.#arrivals.push(arrival)
  }

  /** True when so many requests have come in, and the spans at both ends of each have ended. */
  isWhole(requests: number): boolean {
    const senders = this.#arrivals.map((arrival) => traceOf(arrival).sender)
    return (
      senders.length >= requests &&
      this.#arrivals.every(
        ({ stranger }, index) => stranger !== undefined || this.#handlers.has(senders[index] ?? ''),
      ) &&
      // The first one was sent by the demo, which makes no spans.
      senders.filter((sender) => !this.#spans.has(sender)).length === 1
    )
  }

  /** The stations as a tree, siblings by name. Undefined: there are none, or several that nobody has called. */
  visits(): Visit | undefined {
    const below = (handler: RecordedSpan | undefined): Visit[] =>
      this.#arrivals
        .filter((arrival) => this.#handlerOf(traceOf(arrival).sender) === handler)
        .map((arrival) => {
          const span = this.#handlers.get(traceOf(arrival).sender)
          return visit(arrival, span, span === undefined ? [] : below(span))
        })
        .sort((a, b) => a.service.localeCompare(b.service))
    const [first, ...more] = below(undefined)
    return more.length === 0 ? first : undefined
  }

  /** The request in whose handling a span was made. */
  #handlerOf(id: string): RecordedSpan | undefined {
    let span = this.#spans.get(id)
    while (span !== undefined && span.kind !== SpanKind.SERVER) span = this.#spans.get(span.parent ?? '')
    return span
  }
}

function visit(arrival: Arrived, span: RecordedSpan | undefined, next: readonly Visit[]): Visit {
  const { attributes = {}, resource = {} } = span ?? {}
  const hopCount = attributes['waybill.hop_count']
  return {
    service: arrival.stranger ?? text(resource, 'service.name') ?? '?',
    servedBy: text(resource, 'service.instance.id'),
    stranger: arrival.stranger !== undefined,
    clk: text(attributes, 'waybill.clk'),
    hopCount: typeof hopCount === 'number' ? hopCount : undefined,
    shardHash: text(attributes, 'waybill.shard_hash'),
    baggage: headerLines(arrival, 'baggage'),
    next,
  }
}

function text(attributes: Attributes, name: string): string | undefined {
  const value = attributes[name]
  return typeof value === 'string' ? value : undefined
}

/** How many calls the request had behind it, as its baggage says. */
export function depthOf({ baggage }: Visit): string | undefined {
  return /(?:^|,)\s*waybill-depth=(\d+)/.exec(baggage[0] ?? '')?.[1]
}

/** A station and all behind it. */
export function allVisits(root: Visit): readonly Visit[] {
  return [root, ...root.next.flatMap(allVisits)]
}

/** A trace in one line, for comparing: each station with who served it, the tag of its span and the depth. */
export function traceLine(root: Visit): string {
  const { service, servedBy = '-', clk = '-', next } = root
  const below = next.length > 0 ? `(${next.map(traceLine).join(' ')})` : ''
  return `${service}=${servedBy}/${clk}/${depthOf(root) ?? '-'}${below}`
}

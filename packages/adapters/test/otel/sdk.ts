import { context, propagation, trace, type TextMapPropagator } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node'

/** An SDK that keeps its spans. */
export interface Sdk {
  readonly spans: InMemorySpanExporter
  /** Registers nothing any more, as if there had been no SDK. */
  end(): void
}

/** Registers the context manager, a tracer and the given propagator for the process. */
export function registerSdk(propagator: TextMapPropagator, processors: readonly SpanProcessor[] = []): Sdk {
  const spans = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({
    spanProcessors: [...processors, new SimpleSpanProcessor(spans)],
  })
  provider.register({ propagator })
  return {
    spans,
    end() {
      trace.disable()
      context.disable()
      propagation.disable()
    },
  }
}

// Imported first, as the documentation of OpenTelemetry asks.
import { CompositePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { otelWaybill } from '@waybill/adapters/otel'

const startTracing = () => {
  const otel = otelWaybill()
  const exporter = new InMemorySpanExporter()
  new NodeTracerProvider({
    spanProcessors: [otel.spanProcessor, new SimpleSpanProcessor(exporter)],
  }).register({
    propagator: new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), otel.propagator],
    }),
  })
  for (const instrumentation of [new HttpInstrumentation(), new UndiciInstrumentation()]) {
    instrumentation.enable()
  }
  return () =>
    exporter.getFinishedSpans().map(({ name, instrumentationScope, attributes }) => ({
      name,
      by: instrumentationScope.name,
      clk: attributes['waybill.clk'],
    }))
}

/** The spans so far; undefined where the SDK is off. A process has one SDK: that of whichever file was first. */
export const spans = (globalThis.spansOfShop ??=
  process.env.OTEL_SDK_DISABLED === 'true' ? undefined : startTracing())

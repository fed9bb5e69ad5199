/** OpenTelemetry beside the kit, there before the service makes its kit: `node --import ./telemetry.js web.js`. */
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { core, NodeSDK } from '@opentelemetry/sdk-node'
import { SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { otelWaybill } from '@waybill/adapters/otel'
import { keptSpans } from './demo/recorder.js'

const otel = otelWaybill()

new NodeSDK({
  // Ours in the place of W3CBaggagePropagator.
  textMapPropagator: new core.CompositePropagator({
    propagators: [new core.W3CTraceContextPropagator(), otel.propagator],
  }),
  // Kept in memory for the demo to gather. Elsewhere it is a BatchSpanProcessor with your exporter.
  spanProcessors: [otel.spanProcessor, new SimpleSpanProcessor(keptSpans)],
  instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()],
}).start()

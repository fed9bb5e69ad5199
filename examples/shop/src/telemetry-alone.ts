/** OpenTelemetry as it comes, for a service without the kit: `node --import ./telemetry-alone.js shipping.js`. */
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { keptSpans } from './demo/recorder.js'

// Its propagators are those of OTEL_PROPAGATORS, by default `traceparent` and W3CBaggagePropagator.
new NodeSDK({
  spanProcessors: [new SimpleSpanProcessor(keptSpans)],
  instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()],
}).start()

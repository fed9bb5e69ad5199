export { otelWaybill, type OtelOptions, type OtelWaybill } from './otel.js'
export { untrustedBaggage } from './propagator.js'
export type { LogRecord, LogRecordProcessor } from './log-record-processor.js'
export type { SpanProcessor } from './span-processor.js'

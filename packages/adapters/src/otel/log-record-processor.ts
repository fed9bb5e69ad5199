import { context, type Attributes, type Context } from '@opentelemetry/api'
import { waybillAttributes } from './attributes.js'

/** What both lines of the SDK ask of a log-record processor. */
export interface LogRecordProcessor {
  onEmit(record: LogRecord, held?: Context): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/** A log record of `@opentelemetry/sdk-logs`, as far as it is touched. */
export interface LogRecord {
  setAttributes(attributes: Attributes): unknown
}

/** Puts what a waybill says on log records. */
export class WaybillLogRecordProcessor implements LogRecordProcessor {
  onEmit(record: LogRecord, held: Context = context.active()): void {
    record.setAttributes(waybillAttributes(held))
  }

  forceFlush(): Promise<void> {
    return Promise.resolve()
  }

  shutdown(): Promise<void> {
    return Promise.resolve()
  }
}

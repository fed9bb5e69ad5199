import { waybillFields, type WaybillLogFields } from '@waybill/core'

/** A pino mixin: what each log line says of the request in whose scope it is written. */
export type WaybillMixin = () => WaybillLogFields

/** A mixin for `pino({ mixin: pinoWaybill() })`. Outside of any request it adds nothing. */
export function pinoWaybill(): WaybillMixin {
  // A new object each time: pino writes the line's own fields into it.
  return () => waybillFields()
}

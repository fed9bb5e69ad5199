import { otelWaybill } from '../../src/otel/index.js'
import { registerSdk, type Sdk } from './sdk.js'

/** An SDK with the propagator and the span processor of the kit. @param ends gets what ends it, in order. */
export function startOtelSdk(ends: (() => void)[]): Sdk {
  const otel = otelWaybill()
  const sdk = registerSdk(otel.propagator, [otel.spanProcessor])
  ends.push(
    () => {
      otel.undo()
    },
    () => {
      sdk.end()
    },
  )
  return sdk
}

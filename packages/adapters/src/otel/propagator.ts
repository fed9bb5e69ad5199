import {
  context,
  createContextKey,
  propagation,
  type Context,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
} from '@opentelemetry/api'
import { baggageWith, siftBaggage, tryCurrentWaybill } from '@waybill/core/adapter'
import { parseEntries } from './baggage-entries.js'
import { waybillIn } from './context-store.js'
import { foreignBaggage, isSuppressed } from './foreign-baggage.js'
import { answersProbe } from './propagator-watch.js'
import { isSending } from './sending.js'

const HEADER = 'baggage'
const UNTRUSTED = createContextKey('@waybill/adapters.otel.untrusted')

/**
 * Stands in the place of `W3CBaggagePropagator`. Members of our names never enter OpenTelemetry's baggage and never leave
 * by it; all others pass as they do by that one.
 */
export class WaybillPropagator implements TextMapPropagator {
  readonly #everywhere: boolean

  /** @param everywhere true: the current waybill is written on calls that no kit has judged, too. */
  constructor(everywhere: boolean) {
    this.#everywhere = everywhere
  }

  inject(held: Context, carrier: unknown, setter: TextMapSetter): void {
    if (answersProbe(held) || isSending(held) || isSuppressed(held)) return
    const foreign = foreignBaggage(held)
    const text = this.#everywhere ? baggageWith(waybillIn(held) ?? tryCurrentWaybill(), foreign) : foreign
    if (text !== '') setter.set(carrier, HEADER, text)
  }

  extract(held: Context, carrier: unknown, getter: TextMapGetter): Context {
    const header: unknown = getter.get(carrier, HEADER)
    const text = Array.isArray(header) ? header.join(',') : header
    if (typeof text !== 'string' || text === '') return held
    const { own, foreign } = siftBaggage(text)
    const extracted = own === '' ? held : held.setValue(UNTRUSTED, own)
    if (foreign === '') return extracted
    const baggage = parseEntries(foreign)
    return baggage.getAllEntries().length === 0 ? extracted : propagation.setBaggage(extracted, baggage)
  }

  fields(): string[] {
    return [HEADER]
  }
}

/**
 * Members of our names that came in with what this context was extracted from, as the text of a `baggage` header. Nobody
 * has judged the sender: hand it to `adopt` of `@waybill/core/adapter`, for a protocol that has no adapter of ours.
 * @param held default the active context.
 */
export function untrustedBaggage(held: Context = context.active()): string | undefined {
  return held.getValue(UNTRUSTED) as string | undefined
}

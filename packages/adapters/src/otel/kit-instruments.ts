import {
  metrics,
  type BatchObservableCallback,
  type MeterProvider,
  type ObservableCounter,
} from '@opentelemetry/api'
import { threadCounters } from '@waybill/core/adapter'

const METER = '@waybill/adapters/otel'

/** By the counter; the unit is what one of it stands for. Of the settled, the failed are told apart by an attribute. */
const INSTRUMENTS = {
  adopted: { unit: '{arrival}', description: 'Requests, messages and tasks that were taken in' },
  injected: { unit: '{attempt}', description: 'Attempts of calls within the fleet, stamped and sent' },
  settled: { unit: '{call}', description: 'Calls that ended: in an answer of whatever status, or failed' },
  refused: { unit: '{refusal}', description: 'Calls and arrivals that the kit refused' },
  conflicts: { unit: '{conflict}', description: 'Facts for which two values differed' },
  lost: { unit: '{call}', description: 'Calls that were made in no scope' },
  dropped: { unit: '{value}', description: 'Values not believed, not readable or not fitting' },
} as const

type Name = keyof typeof INSTRUMENTS

/**
 * The counters of the thread's kits as instruments of the MeterProvider that is registered. They are read when it collects,
 * and cost nothing else. Attributes come from closed lists: no tag and no key is among them.
 */
export class KitInstruments {
  #provider: MeterProvider | undefined
  #detach: (() => void) | undefined

  /** Looks whether another provider was registered: the API of metrics, unlike that of traces, has none that waits for it. */
  look(): void {
    const provider = metrics.getMeterProvider()
    if (provider === this.#provider) return
    this.detach()
    this.#provider = provider
    this.#detach = attach(provider)
  }

  /** Observes nothing any more. */
  detach(): void {
    this.#detach?.()
    this.#detach = undefined
    this.#provider = undefined
  }
}

function attach(provider: MeterProvider): (() => void) | undefined {
  try {
    const meter = provider.getMeter(METER)
    const make = (name: Name): ObservableCounter =>
      meter.createObservableCounter(`waybill.${name}`, INSTRUMENTS[name])
    const { dropped, settled, ...plain } = Object.fromEntries(
      Object.keys(INSTRUMENTS).map((name) => [name, make(name as Name)]),
    ) as Record<Name, ObservableCounter>
    const observe: BatchObservableCallback = (result) => {
      const counters = threadCounters()
      for (const [name, counter] of Object.entries(plain)) {
        result.observe(counter, counters[name as keyof typeof plain])
      }
      result.observe(settled, counters.settled - counters.failed, { 'waybill.failed': false })
      result.observe(settled, counters.failed, { 'waybill.failed': true })
      for (const [reason, count] of Object.entries(counters.dropped)) {
        result.observe(dropped, count, { 'waybill.reason': reason })
      }
    }
    const all = [dropped, settled, ...Object.values(plain)]
    meter.addBatchObservableCallback(observe, all)
    return () => meter.removeBatchObservableCallback(observe, all)
  } catch {
    // A provider of somebody's own that throws counts nothing; the request in which it was found goes on.
    return undefined
  }
}

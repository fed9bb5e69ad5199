import { context, type TextMapPropagator } from '@opentelemetry/api'
import { installScopeStore, installTracer } from '@waybill/core/adapter'
import { rememberAdopted } from './adopted-requests.js'
import { ContextStore } from './context-store.js'
import { foreignBaggage } from './foreign-baggage.js'
import { HopBaggage } from './hop-baggage.js'
import { KitInstruments } from './kit-instruments.js'
import { WaybillLogRecordProcessor, type LogRecordProcessor } from './log-record-processor.js'
import { WaybillPropagator } from './propagator.js'
import { PropagatorWatch } from './propagator-watch.js'
import { runSending } from './sending.js'
import { WaybillSpanProcessor, type SpanProcessor } from './span-processor.js'

/** Options of {@link otelWaybill}. */
export interface OtelOptions {
  /**
   * True: the propagator also writes the current waybill, shard key and all, on calls that no kit has judged, wherever they
   * go. For a process that calls nobody outside of the fleet. Default false.
   */
  readonly injectEverywhere?: boolean
}

/** What an SDK is given, and the way back. */
export interface OtelWaybill {
  /** To be registered in the place of `W3CBaggagePropagator`. */
  readonly propagator: TextMapPropagator
  /** Puts `waybill.clk`, `waybill.hop_count` and `waybill.shard_hash` on spans. List it before the exporting ones. */
  readonly spanProcessor: SpanProcessor
  /** The same for log records. */
  readonly logRecordProcessor: LogRecordProcessor
  /** Restores the store that there was, counts no more, and lets kits and OpenTelemetry go their own ways. */
  undo(): void
}

/**
 * Installs the OpenTelemetry context as the store of the current waybill, for all kits of this thread, and makes what an
 * SDK needs to work beside them. It may be called before or after an SDK is registered, and before or after `createKit`.
 * The counters of these kits are instruments (`waybill.adopted`, …) of the MeterProvider that is registered; one that comes
 * later is found with the next kit, arrival or call.
 * @throws WaybillError ERR_WAYBILL_FOREIGN_PROPAGATOR where a kit with `inbound: 'public'` or `'edge'` exists and a plain
 * `W3CBaggagePropagator` is registered; later `createKit` and inbound adapters throw it.
 */
export function otelWaybill(options: OtelOptions = {}): OtelWaybill {
  const watch = new PropagatorWatch()
  const instruments = new KitInstruments()
  const spanProcessor = new WaybillSpanProcessor()
  const hops = new HopBaggage()
  const undoTracer = installTracer({
    beside(inbound) {
      watch.refuse(inbound)
      instruments.look()
    },
    adopted(kind) {
      watch.look()
      instruments.look()
      if (kind === 'http' || kind === 'rpc') rememberAdopted(context.active())
      spanProcessor.adopted(kind)
    },
    baggage: () => (watch.ours || watch.heedless ? foreignBaggage(context.active()) : ''),
    overwrites: () => watch.overwrites,
    sending(send, call, stamp) {
      instruments.look()
      return runSending(send, watch.heedless, hops.keep(call, stamp))
    },
  })
  instruments.look()
  hops.listen()
  const undoStore = installScopeStore((own) => (own instanceof ContextStore ? own : new ContextStore(own)))
  return {
    propagator: new WaybillPropagator(options.injectEverywhere === true),
    spanProcessor,
    logRecordProcessor: new WaybillLogRecordProcessor(),
    undo() {
      undoStore()
      undoTracer()
      hops.ignore()
      instruments.detach()
    },
  }
}

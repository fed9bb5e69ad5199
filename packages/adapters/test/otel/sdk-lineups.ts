import type { TextMapPropagator } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { registerSdk } from './sdk.js'

/** Which SDKs register themselves in a process, and in which order. The API takes the first and ignores any other. */
export interface SdkLineup {
  readonly name: string
  /** How many bring instrumentations along. There may be some where no SDK is registered, too. */
  readonly sdks: number
  /**
   * @param ours the propagator of `otelWaybill()`.
   * @returns an undo.
   */
  register(ours: TextMapPropagator): () => void
}

/** An SDK with our propagator, or one as its documentation shows it. */
type Sdk = 'ours' | 'stock'

function lineup(name: string, ...sdks: readonly Sdk[]): SdkLineup {
  return {
    name,
    sdks: Math.max(1, sdks.length),
    register(ours) {
      const registered = sdks.map((sdk) => {
        const baggage = sdk === 'ours' ? ours : new W3CBaggagePropagator()
        return registerSdk(
          new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), baggage] }),
        )
      })
      return () => {
        for (const sdk of registered) sdk.end()
      }
    },
  }
}

export const NO_SDK: SdkLineup = lineup('no SDK')
const ONE_SDK: SdkLineup = lineup('one SDK', 'ours')
const OURS_FIRST: SdkLineup = lineup('two SDKs, ours first', 'ours', 'stock')
export const OURS_SECOND: SdkLineup = lineup('two SDKs, ours second', 'stock', 'ours')
export const lineups: readonly SdkLineup[] = [NO_SDK, ONE_SDK, OURS_FIRST, OURS_SECOND]

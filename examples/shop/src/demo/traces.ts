import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from './process-group.js'
import type { RecordedSpan } from './recording.js'
import type { Stranger } from './stranger.js'
import { Trace, traceOf, type Arrived, type Visit } from './trace.js'

/** A span ends a little after the reply that it is of. What is not there by then is missing. */
const WHOLE_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 50

/** Gathers the spans and arrivals of all processes, and knows which belong together. */
export class Traces {
  readonly #services: readonly RunningService[]
  readonly #strangers: readonly Stranger[]
  readonly #traces = new Map<string, Trace>()
  readonly #spans: RecordedSpan[] = []
  readonly #arrivals: Arrived[] = []

  /** @param services that have loaded `demo/recorder.js` */
  constructor(services: readonly RunningService[], strangers: readonly Stranger[]) {
    this.#services = services
    this.#strangers = strangers
  }

  /** All that was gathered so far. */
  get spans(): readonly RecordedSpan[] {
    return this.#spans
  }

  /** All that was gathered so far. */
  get arrivals(): readonly Arrived[] {
    return this.#arrivals
  }

  /**
   * Gathers until the traces are whole, or no more comes.
   * @param requests how many make a whole one.
   * @returns of each its stations, as far as they are known.
   */
  async whole(ids: readonly string[], requests: number): Promise<readonly (Visit | undefined)[]> {
    const giveUp = performance.now() + WHOLE_WITHIN_MS
    while (!ids.every((id) => this.#of(id).isWhole(requests)) && performance.now() < giveUp) {
      await sleep(LOOK_EVERY_MS)
      await this.#gather()
    }
    return ids.map((id) => this.#of(id).visits())
  }

  async #gather(): Promise<void> {
    const recordings = await Promise.all(this.#services.map((service) => service.recorded()))
    for (const span of recordings.flatMap(({ spans }) => spans)) {
      this.#spans.push(span)
      this.#of(span.traceId).ended(span)
    }
    const atStrangers = this.#strangers.flatMap((stranger) => stranger.takeArrivals())
    for (const arrival of [...recordings.flatMap(({ arrivals }) => arrivals), ...atStrangers]) {
      this.#arrivals.push(arrival)
      this.#of(traceOf(arrival).id).arrived(arrival)
    }
  }

  #of(id: string): Trace {
    const known = this.#traces.get(id)
    if (known !== undefined) return known
    const trace = new Trace()
    this.#traces.set(id, trace)
    return trace
  }
}

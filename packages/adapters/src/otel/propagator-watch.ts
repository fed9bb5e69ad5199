import { createContextKey, propagation, ROOT_CONTEXT, type Context } from '@opentelemetry/api'
import { hasSubscribers, publish, WaybillError, type Inbound } from '@waybill/core/adapter'

const PROBE = createContextKey('@waybill/adapters.otel.probe')
const PROBE_MEMBER = 'waybill-probe'

/** Where `@opentelemetry/api` 1.x keeps what was registered, for all its copies. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

const BREAKS =
  'It overwrites the baggage of calls that a kit has written, doubles it on fetch, sends routing tags and shard keys to hosts outside of the fleet, and carries on what was not believed.'
const REMEDY = 'Put the propagator of otelWaybill() in its place: docs/opentelemetry.md#the-propagator.'

interface Probe {
  answered: boolean
}

/** Called by our own propagator: true where it was only asked whether it is there. */
export function answersProbe(held: Context): boolean {
  const probe = held.getValue(PROBE) as Probe | undefined
  if (probe === undefined) return false
  probe.answered = true
  return true
}

/**
 * Knows which propagators of `baggage` are registered in the process. They are told by what they do, not by their class,
 * which exists once in every copy and bundle; and looked at anew only when another was registered.
 */
export class PropagatorWatch {
  #seen: unknown = undefined
  #ours = false
  #plain = false
  #told = false

  /** True where ours is the one that writes `baggage`. */
  get ours(): boolean {
    this.look()
    return this.#ours && !this.#plain
  }

  /** True where one writes members of our names, to whomever a call goes. */
  get plain(): boolean {
    this.look()
    return this.#plain
  }

  /** @throws WaybillError ERR_WAYBILL_FOREIGN_PROPAGATOR for a listener that believes no headers of strangers. */
  refuse(inbound: Inbound): void {
    if (this.plain && inbound !== 'peer') {
      throw new WaybillError('ERR_WAYBILL_FOREIGN_PROPAGATOR', { inbound })
    }
  }

  /** Looks whether another was registered. Of a plain one it tells once, as soon as somebody listens. */
  look(): void {
    const registered = registeredPropagator()
    if (registered !== this.#seen) {
      this.#seen = registered
      this.#probe()
    }
    if (this.#plain && !this.#told && hasSubscribers('audit')) {
      this.#told = true
      publish('audit', { action: 'foreign-propagator', facts: { breaks: BREAKS, remedy: REMEDY } })
    }
  }

  #probe(): void {
    const probe: Probe = { answered: false }
    const written: { baggage?: unknown } = {}
    const held = propagation.setBaggage(
      ROOT_CONTEXT.setValue(PROBE, probe),
      propagation.createBaggage({ [PROBE_MEMBER]: { value: '1' } }),
    )
    try {
      propagation.inject(held, written)
    } catch {
      // One that throws writes nothing; what it does to the application's own calls is not ours to mend.
    }
    this.#ours = probe.answered
    this.#plain = typeof written.baggage === 'string' && written.baggage.includes(PROBE_MEMBER)
  }
}

function registeredPropagator(): unknown {
  const registered = (globalThis as { [REGISTERED]?: { readonly propagation?: unknown } })[REGISTERED]
  return registered?.propagation
}

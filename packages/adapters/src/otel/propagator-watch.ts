import {
  context,
  createContextKey,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  type Context,
  type TextMapPropagator,
} from '@opentelemetry/api'
import { hasSubscribers, publish, WaybillError, type Inbound } from '@waybill/core/adapter'

const PROBE = createContextKey('@waybill/adapters.otel.probe')
const PROBE_MEMBER = 'waybill-probe'

/** Where `@opentelemetry/api` 1.x keeps what was registered, for all its copies. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

interface Registered {
  readonly context?: unknown
  readonly propagation?: TextMapPropagator
}

/** What is told, once each: what it breaks, and what to do. */
const TROUBLES = {
  'foreign-propagator': {
    breaks:
      'On calls past the kits it sends routing tags and shard keys to hosts outside of the fleet, and carries on what was not believed.',
    remedy: 'Put the propagator of otelWaybill() in its place: docs/opentelemetry.md#the-propagator.',
  },
  'broken-propagator': {
    breaks:
      'The registered propagator throws where it is to write. What it writes is on no call, and an instrumentation hands the error to whoever made the call.',
    remedy:
      'Register it within a CompositePropagator, which goes on with the next: docs/opentelemetry.md#in-bad-company.',
  },
  'foreign-api': {
    breaks:
      'The SDK was registered by a version of @opentelemetry/api older than the one of this package, which cannot see it: the current waybill is kept in the kit’s own store, and what a propagator writes on a call of a kit replaces its baggage.',
    remedy: 'Let `npm ls @opentelemetry/api` show one version: docs/opentelemetry.md#in-bad-company.',
  },
} as const

type Trouble = keyof typeof TROUBLES

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
  #seen: TextMapPropagator | undefined
  #ours = false
  #plain = false
  #apart = false
  readonly #told = new Set<Trouble>()
  readonly #untold = new Set<Trouble>()

  /** True where ours is the one that writes `baggage`, and sees what the kit has written. */
  get ours(): boolean {
    this.look()
    return this.#ours && !this.#plain && !this.#apart
  }

  /** True where one writes all that it finds in OpenTelemetry's baggage, which the kit can keep from it. */
  get heedless(): boolean {
    this.look()
    return this.#plain && !this.#apart
  }

  /** True where one writes `baggage` whatever the kit has written. */
  get overwrites(): boolean {
    this.look()
    return this.#plain || (this.#ours && this.#apart)
  }

  /** @throws WaybillError ERR_WAYBILL_FOREIGN_PROPAGATOR for a listener that believes no headers of strangers. */
  refuse(inbound: Inbound): void {
    this.look()
    if (this.#plain && inbound !== 'peer') {
      throw new WaybillError('ERR_WAYBILL_FOREIGN_PROPAGATOR', { inbound })
    }
  }

  /** Looks whether another was registered, and tells what is wrong with it once, as soon as somebody listens. */
  look(): void {
    const registered = (globalThis as { [REGISTERED]?: Registered })[REGISTERED]
    if (registered?.propagation !== this.#seen) {
      this.#seen = registered?.propagation
      this.#probe(registered)
    }
    if (this.#untold.size > 0 && hasSubscribers('audit')) this.#tell()
  }

  #probe({ context: manager, propagation: registered }: Registered = {}): void {
    this.#untold.clear()
    const probe: Probe = { answered: false }
    const written: { baggage?: unknown } = {}
    const held = ROOT_CONTEXT.setValue(PROBE, probe)
    const baggage = propagation.createBaggage({ [PROBE_MEMBER]: { value: '1' } })
    try {
      // Not by the API, which is blind to what an older version of it has registered.
      registered?.inject(propagation.setBaggage(held, baggage), written, defaultTextMapSetter)
    } catch {
      this.#note('broken-propagator')
    }
    this.#ours = probe.answered
    this.#plain = typeof written.baggage === 'string' && written.baggage.includes(PROBE_MEMBER)
    this.#apart = manager !== undefined && !context.with(held, () => context.active() === held)
    if (this.#plain) this.#note('foreign-propagator')
    if (this.#apart) this.#note('foreign-api')
  }

  #note(trouble: Trouble): void {
    if (!this.#told.has(trouble)) this.#untold.add(trouble)
  }

  #tell(): void {
    for (const trouble of this.#untold) {
      this.#told.add(trouble)
      publish('audit', { action: trouble, facts: { ...TROUBLES[trouble] } })
    }
    this.#untold.clear()
  }
}

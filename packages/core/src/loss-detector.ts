import { hasSubscribers, publish } from './events.js'
import { MAX_REPORTED_PLACES } from './limits.js'
import type { Counters } from './counters.js'
import { remedyText, type LossRemedy } from './loss-remedies.js'

/**
 * Reports calls that are made in no scope by a process that has adopted a request or message: each place in the code once, at
 * most 1,000 places. Off in production, where a stack for each such call would be dear.
 */
export class LossDetector {
  readonly #counters: Counters
  readonly #enabled: boolean
  readonly #places = new Set<string>()
  #armed = false

  constructor(counters: Counters, enabled: boolean) {
    this.#counters = counters
    this.#enabled = enabled
  }

  /** Called when something was adopted; before that a call in no scope is a script's, and nothing is lost. */
  arm(): void {
    this.#armed = true
  }

  /** @param remedy of the place; what helps in most of them where none is known. */
  callWithoutScope(kind: string, remedy: LossRemedy = 'callback'): void {
    if (!this.#armed) return
    this.#counters.lost++
    // Nobody is told: then no stack is taken, and the place is told to whoever comes later.
    if (!this.#enabled || !hasSubscribers('lost') || this.#places.size >= MAX_REPORTED_PLACES) return
    const place = placeOf(new Error().stack)
    if (this.#places.has(place)) return
    this.#places.add(place)
    publish('lost', { kind, place, remedy: remedyText(remedy) })
  }
}

const NOT_THE_APPLICATIONS =
  /node:|[\\/]@waybill[\\/]|[\\/]packages[\\/](?:core|adapters|routing)[\\/](?:src|dist)[\\/](?!.*\.(?:test|conformance)\.)/

/** The first frame outside of Node and the kit. */
function placeOf(stack: unknown): string {
  // An application may have put something else there by Error.prepareStackTrace.
  for (const line of String(stack).split('\n').slice(1)) {
    if (!NOT_THE_APPLICATIONS.test(line) && /:\d+:\d+/.test(line)) return line.trim().replace(/^at /, '')
  }
  return '(no frame of the application)'
}

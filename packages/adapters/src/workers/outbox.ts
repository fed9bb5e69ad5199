/**
 * How long a message waits for the other side to say that it opens envelopes, in milliseconds after it has started. A
 * process on a busy machine takes two seconds to load its modules.
 */
const WAIT_MS = 5_000

/** Sends what was held, in an envelope or bare. */
type Delivery = (sealed: boolean) => void

/**
 * What is known of the other side of a port, and the messages that wait for it, in order. Nothing waits for long, and
 * nobody who has not asked for envelopes gets one.
 */
export class Outbox {
  readonly #tellBare: () => void
  readonly #waitMs: number
  readonly #held: Delivery[] = []
  #prepared: boolean | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param tellBare is called once where messages had to go without their waybill. */
  constructor(tellBare: () => void, waitMs: number = WAIT_MS) {
    this.#tellBare = tellBare
    this.#waitMs = waitMs
  }

  /** Undefined: not known yet, and messages are to be held. */
  get prepared(): boolean | undefined {
    return this.#held.length > 0 ? undefined : this.#prepared
  }

  get empty(): boolean {
    return this.#held.length === 0
  }

  hold(delivery: Delivery): void {
    this.#held.push(delivery)
    if (this.#held.length === 1) this.restart()
  }

  /** The other side begins to run only now. */
  restart(): void {
    clearTimeout(this.#timer)
    if (this.empty) return
    this.#timer = setTimeout(() => {
      this.settle(false)
    }, this.#waitMs).unref()
  }

  /** Known now, or as good as it gets; a later word may turn a no into a yes. */
  settle(prepared: boolean): void {
    if (this.#prepared === true) return
    clearTimeout(this.#timer)
    if (!prepared && !this.empty) this.#tellBare()
    this.#prepared = prepared
    for (const delivery of this.#held.splice(0)) delivery(prepared)
  }
}

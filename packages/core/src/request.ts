import { WaybillError } from './errors.js'
import type { Kit } from './kit.js'
import type { Inbound } from './trust.js'

/** Where the lines that tell who served are written: the reply of the request, while its headers have not gone. */
export interface NoteSink {
  /** Adds entries, comma-separated, to what the reply says already. */
  add(entries: string): void
}

/** A seam that takes in the requests of every listener of the process, by the rule of a kit. */
export interface Seam {
  readonly kit: Kit
  readonly inbound: Inbound
}

/**
 * What all scopes of one request share: the write-once key slot, and where notes about its calls go.
 * Copies of the package touch it through its methods only.
 */
export class Request {
  #key: string | undefined
  #sink: NoteSink | undefined = undefined
  #explain = false
  #withAddresses = false
  #seam: Seam | undefined = undefined

  constructor(key: string | undefined = undefined) {
    this.#key = key
  }

  get key(): string | undefined {
    return this.#key
  }

  /** A request nested in this one, for another user: a key slot of its own, and the same way for notes. */
  actingFor(key: string): Request {
    const nested = new Request(key)
    nested.ask(this.#explain, this.#withAddresses)
    if (this.#sink !== undefined) nested.tell(this.#sink)
    return nested
  }

  /** Fills the slot. @throws WaybillError ERR_WAYBILL_KEY_CONFLICT where another key is in it. */
  bind(key: string): void {
    if (this.#key !== undefined && this.#key !== key) {
      // Neither key may stand in an error: it would end in a log.
      throw new WaybillError('ERR_WAYBILL_KEY_CONFLICT')
    }
    this.#key = key
  }

  /** True if whoever asked wants to know the way; then the question is passed on to the services that are called. */
  get explain(): boolean {
    return this.#explain
  }

  /** True if the notes go to a peer, which may know addresses. */
  get withAddresses(): boolean {
    return this.#withAddresses
  }

  /** Says who asked. */
  ask(explain: boolean, withAddresses: boolean): void {
    this.#explain = explain
    this.#withAddresses = withAddresses
  }

  /** Says which seam has taken it in. */
  takenInBy(seam: Seam): void {
    this.#seam = seam
  }

  /** The seam that has taken it in; undefined where it was a listener. */
  get seam(): Seam | undefined {
    return this.#seam
  }

  /** Says where the notes go. The sink must not keep the reply alive. */
  tell(sink: NoteSink): void {
    this.#sink = sink
  }

  /** True if notes go anywhere. */
  get told(): boolean {
    return this.#sink !== undefined
  }

  note(entries: string): void {
    if (entries !== '') this.#sink?.add(entries)
  }
}

import { appendNotes, type NoteSink } from '@waybill/core/adapter'

/**
 * What the reply will tell of who served. The reply reads it when its headers go and never the other way round, so a
 * waybill that outlives the request keeps at most this text.
 */
export class RouteList implements NoteSink {
  #text: string | undefined = undefined
  #gone = false

  get text(): string | undefined {
    return this.#text
  }

  add(entries: string): void {
    if (!this.#gone) this.#text = appendNotes(this.#text, entries)
  }

  /** The headers have gone: whatever comes later is told to nobody. */
  close(): void {
    this.#gone = true
    this.#text = undefined
  }
}

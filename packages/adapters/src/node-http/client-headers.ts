import { OutgoingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http'
import { Writable } from 'node:stream'
import { headerLines, HeaderLines } from './header-lines.js'

/** The header methods of a ClientRequest, before there is one. node:http's own message keeps and checks them. */
export abstract class ClientHeaders extends Writable {
  readonly #message = new OutgoingMessage()
  /** Read from the message when first asked for after a change. */
  #lines: HeaderLines | undefined

  constructor(headers: unknown) {
    // The call closes when its answer has ended, not when its body was written.
    super({ autoDestroy: false })
    // A record has one value for a name, whatever its case; a flat list may repeat it.
    const several = Array.isArray(headers)
    for (const [name, value] of headerLines(headers).lines) {
      if (value === undefined) continue
      if (several) this.#message.appendHeader(name, value as string)
      else this.#message.setHeader(name, value as string)
    }
  }

  /** As they stand now. */
  protected headerLines(): HeaderLines {
    this.#lines ??= new HeaderLines(this.#rawNames().map((name) => [name, this.#message.getHeader(name)]))
    return this.#lines
  }

  #rawNames(): string[] {
    return (this.#message as OutgoingMessage & { getRawHeaderNames(): string[] }).getRawHeaderNames()
  }

  /** Called before a header changes, so that an attempt that was made already gets the change, or refuses it. */
  protected abstract changing(name: string, change: (message: OutgoingMessage) => unknown): void

  #change(name: string, change: (message: OutgoingMessage) => unknown): this {
    this.changing(name, change)
    change(this.#message)
    this.#lines = undefined
    return this
  }

  setHeader(name: string, value: number | string | readonly string[]): this {
    return this.#change(name, (message) => message.setHeader(name, value))
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    return this.#change(name, (message) => message.appendHeader(name, value))
  }

  setHeaders(headers: Headers | Map<string, number | string | readonly string[]>): this {
    for (const [name, value] of headers) this.setHeader(name, value)
    return this
  }

  addTrailers(trailers: OutgoingHttpHeaders | readonly [string, string][]): void {
    this.#message.addTrailers(trailers)
  }

  getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.#message.getHeader(name)
  }

  getHeaders(): OutgoingHttpHeaders {
    return this.#message.getHeaders()
  }

  getHeaderNames(): string[] {
    return this.#message.getHeaderNames()
  }

  hasHeader(name: string): boolean {
    return this.#message.hasHeader(name)
  }

  removeHeader(name: string): void {
    this.#change(name, (message) => message.removeHeader(name))
  }
}

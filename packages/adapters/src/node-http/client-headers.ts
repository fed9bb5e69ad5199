import { OutgoingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http'
import { Writable } from 'node:stream'
import { headerLines, HeaderLines } from './header-lines.js'

/** The header methods of a ClientRequest, before there is one. node:http's own message keeps and checks them. */
export abstract class ClientHeaders extends Writable {
  readonly #message = new OutgoingMessage()

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
    const names = (this.#message as OutgoingMessage & { getRawHeaderNames(): string[] }).getRawHeaderNames()
    return new HeaderLines(names.map((name) => [name, this.#message.getHeader(name)]))
  }

  setHeader(name: string, value: number | string | readonly string[]): this {
    this.#message.setHeader(name, value)
    return this
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    this.#message.appendHeader(name, value)
    return this
  }

  setHeaders(headers: Headers | Map<string, number | string | readonly string[]>): this {
    this.#message.setHeaders(headers)
    return this
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
    this.#message.removeHeader(name)
  }
}

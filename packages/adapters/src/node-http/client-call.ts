import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { Socket } from 'node:net'
import {
  isIdempotentMethod,
  performCall,
  type BodyKind,
  type Call,
  type Kit,
  type LostPlace,
  type Reply,
  type Stamp,
} from '@waybill/core/adapter'
import { attemptOptions, stampedHeaders, stampedNames } from './attempt-options.js'
import { clientReply, type ClientAnswer } from './client-attempt.js'
import { ClientHeaders } from './client-headers.js'
import type { OnResponse } from './request-arguments.js'
import type { Destination } from './request-destination.js'

/** The one function of node:http or node:https that a call needs. */
export type SendRequest = (options: RequestOptions) => ClientRequest

/** Stands for where a call goes that no URL tells. */
const UNTOLD = new URL('http://untold.invalid/')

/** Settings that a ClientRequest passes to its socket; made again for each attempt. */
type Setting = (request: ClientRequest) => void

/**
 * What `request()` gives back: the application writes to it as to a ClientRequest, and each attempt of the call is a real
 * one, made when it is known where it goes and what it carries.
 */
export class ClientCall extends ClientHeaders {
  readonly #kit: Kit
  readonly #sendRequest: SendRequest
  readonly #options: RequestOptions
  readonly #url: URL
  readonly #place: LostPlace | undefined
  /** A tunnel and a path in absolute form are the business of the proxy that gets them. */
  readonly #leftFleet: boolean
  readonly #settings: Setting[] = []
  /** What was written before the first attempt. */
  readonly #kept: Buffer[] = []
  #body: BodyKind | undefined
  #request: ClientRequest | undefined
  /** Names, in lower case, whose headers the kit has put on the request or taken from it. */
  #ours: ReadonlySet<string> = new Set()
  /** Lets the application write on; set while a piece or the end waits for an attempt. */
  #goOn: (() => void) | undefined
  readonly method: string
  readonly path: string
  readonly host: string
  readonly protocol: string
  res: IncomingMessage | undefined
  aborted = false

  constructor(
    kit: Kit,
    sendRequest: SendRequest,
    options: RequestOptions,
    { protocol, method, path, host, url }: Destination,
    place: LostPlace | undefined,
    onResponse?: OnResponse,
  ) {
    super(options.headers)
    this.#kit = kit
    this.#sendRequest = sendRequest
    this.#options = options
    this.#url = url ?? UNTOLD
    this.#place = place
    this.method = method
    this.#leftFleet = url === undefined || this.method === 'CONNECT'
    this.path = path
    this.host = host
    this.protocol = protocol
    if (onResponse !== undefined) this.once('response', onResponse)
    const { signal } = options
    if (signal !== undefined) this.#obey(signal)
    // Most bodies are complete by then, or known to come later.
    process.nextTick(() => void this.#perform())
  }

  get socket(): Socket | null {
    return this.#request?.socket ?? null
  }

  get connection(): Socket | null {
    return this.socket
  }

  get reusedSocket(): boolean {
    return this.#request?.reusedSocket ?? false
  }

  get headersSent(): boolean {
    return this.#request?.headersSent ?? false
  }

  get finished(): boolean {
    return this.writableEnded
  }

  setTimeout(ms: number, onTimeout?: () => void): this {
    if (onTimeout !== undefined) this.once('timeout', onTimeout)
    return this.#set((request) => request.setTimeout(ms))
  }

  setNoDelay(noDelay?: boolean): this {
    return this.#set((request) => request.setNoDelay(noDelay))
  }

  setSocketKeepAlive(enable?: boolean, initialDelayMs?: number): this {
    return this.#set((request) => request.setSocketKeepAlive(enable, initialDelayMs))
  }

  flushHeaders(): void {
    this.#set((request) => request.flushHeaders())
  }

  override addTrailers(trailers: OutgoingHttpHeaders | readonly [string, string][]): void {
    super.addTrailers(trailers)
    this.#set((request) => request.addTrailers(trailers))
  }

  protected override changing(name: string, change: (request: ClientRequest) => unknown): void {
    if (this.#request !== undefined && !this.#ours.has(String(name).toLowerCase())) change(this.#request)
  }

  /** @deprecated by node:http; use `destroy`. */
  abort(): void {
    if (this.aborted) return
    this.aborted = true
    process.nextTick(() => this.emit('abort'))
    this.destroy()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#request !== undefined && this.#body === 'stream') this.#request.write(chunk, done)
    else {
      this.#kept.push(chunk)
      if (this.#body === undefined) done()
      else this.#goOn = done
    }
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#request === undefined) this.#goOn = () => this._final(done)
    else if (this.#body === 'stream') this.#request.end(done)
    else done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#request?.destroy(error ?? undefined)
    const answered = this.res !== undefined
    done(error ?? (answered ? null : Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })))
  }

  #set(setting: Setting): this {
    this.#settings.push(setting)
    if (this.#request !== undefined) setting(this.#request)
    return this
  }

  #obey(signal: AbortSignal): void {
    const abort = (): void => {
      const error = new Error('The operation was aborted', { cause: signal.reason })
      this.destroy(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }))
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    this.once('close', () => signal.removeEventListener('abort', abort))
  }

  async #perform(): Promise<void> {
    if (this.destroyed) return
    this.#body = !this.writableEnded ? 'stream' : this.#kept.length === 0 ? 'none' : 'replayable'
    const { signal } = this.#options
    try {
      const { value } = await performCall(
        this.#kit,
        {
          kind: 'http',
          url: this.#url,
          method: this.method,
          headers: (name) => this.headerLines().get(name),
          body: this.#body,
          idempotent: isIdempotentMethod(this.method),
          ...(signal === undefined ? {} : { signal }),
          leftFleet: this.#leftFleet,
          place: this.#place,
        },
        (call, stamp) => this.#attempt(call, stamp),
      )
      // In a turn of its own: what the application throws there is uncaught, as with node:http, and no failure of the call.
      process.nextTick(() => this.#answer(value))
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  async #attempt(call: Call, stamp: Stamp): Promise<Reply<ClientAnswer>> {
    // Whoever sends again does not want what came before.
    this.#request?.destroy()
    if (this.destroyed) throw new Error('the call was given up')
    const { protocol, path } = this
    const headers = stampedHeaders(call.target, stamp, this.headerLines())
    const request = this.#sendRequest(
      attemptOptions(this.#options, { protocol, path, target: call.target, headers }),
    )
    this.#request = request
    this.#ours = stampedNames(call.target, stamp)
    for (const setting of this.#settings) setting(request)
    for (const event of ['socket', 'information', 'continue', 'timeout']) {
      request.on(event, (...args: unknown[]) => {
        if (request === this.#request) this.emit(event, ...args)
      })
    }
    const reply = clientReply(request, (event) => this.listenerCount(event) > 0)
    this.#writeTo(request)
    return reply
  }

  #writeTo(request: ClientRequest): void {
    const [only] = this.#kept
    if (this.#body === 'stream') {
      for (const chunk of this.#kept.splice(0)) request.write(chunk)
    } else if (this.#kept.length === 1) request.end(only)
    else {
      for (const chunk of this.#kept) request.write(chunk)
      request.end()
    }
    const goOn = this.#goOn
    this.#goOn = undefined
    goOn?.()
  }

  #answer({ event, response, rest }: ClientAnswer): void {
    const request = this.#request
    if (request === undefined || this.destroyed) return
    this.res = response
    request.on('error', (error) => this.destroy(error))
    if (request.closed) process.nextTick(() => this.destroy())
    else request.once('close', () => this.destroy())
    const heard = this.emit(event, response, ...rest)
    if (!heard && event === 'response') response.resume()
  }
}

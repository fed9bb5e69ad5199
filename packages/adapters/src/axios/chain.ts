import { finished, Readable } from 'node:stream'
import {
  isIdempotentMethod,
  performCall,
  type Call,
  type Kit,
  type Reply,
  type Stamp,
} from '@waybill/core/adapter'
import { HeaderLines } from '../node-http/header-lines.js'
import type { AxiosConfig, AxiosResponse } from './axios-shape.js'
import { beforeRedirect } from './before-redirect.js'
import { stampedLines, towards, withHeaders } from './hop-config.js'
import type { HostClient } from './host-client.js'
import { isRedirect, redirectedHop, type Hop } from './redirect.js'
import { uploadOf, type Upload } from './upload.js'

/** What axios over node:http follows where `maxRedirects` says nothing. */
const MAX_REDIRECTS = 21

/** What came of one hop: axios turns a status that it does not accept into an error, which is an answer all the same. */
interface Answer {
  readonly response: AxiosResponse
  readonly refusal: Error | undefined
}

/**
 * One call of an application and the redirects that it follows, each a call of the kit of its own: axios would hand the
 * headers of the first request on to any host.
 */
export class Chain {
  readonly #kit: Kit
  readonly #client: HostClient
  readonly #config: AxiosConfig
  readonly #follows: boolean
  readonly #upload: Upload
  readonly #started = performance.now()
  #hop: Hop
  #hops = 0
  #leftFleet = false
  /** The last answer of the current hop. */
  #answer: AxiosResponse | undefined
  /** Id of the call that was made last. */
  lastCall: string | undefined

  /** @param config the application's, with the adapter that is to send it. @param url what it calls. */
  constructor(kit: Kit, client: HostClient, config: AxiosConfig, url: URL) {
    this.#kit = kit
    this.#client = client
    this.#config = config
    // A transport of the application's own follows by itself, or does not; axios leaves redirects to it.
    this.#follows = config.maxRedirects !== 0 && config['transport'] === undefined
    this.#upload = uploadOf(config.data, this.#follows)
    const method = (config.method ?? 'get').toUpperCase()
    this.#hop = { url, method, headers: Object.entries(config.headers ?? {}), data: config.data }
  }

  /** @param after id of the failed call that this one repeats. */
  async run(after: string | undefined): Promise<AxiosResponse> {
    for (let before = after; ; before = this.lastCall) {
      const { response, refusal } = await this.#call(before)
      const location = this.#follows ? headersOf(response).get('location') : undefined
      if (!isRedirect(response.status, location)) {
        if (refusal !== undefined) throw refusal
        return sayUrl(response, this.#hop.url)
      }
      this.#answer = undefined
      release(response)
      this.#hop = await this.#redirected(response, location)
    }
  }

  async #call(after: string | undefined): Promise<Answer> {
    const { url, method, headers, data } = this.#hop
    const lines = new HeaderLines(headers)
    const { signal } = this.#config
    const reply = await performCall(
      this.#kit,
      {
        kind: 'http',
        url,
        method,
        headers: (name) => lines.get(name),
        body: data === undefined ? 'none' : this.#upload.kind,
        idempotent: isIdempotentMethod(method),
        signal: signal instanceof AbortSignal ? signal : undefined,
        after,
        leftFleet: this.#leftFleet,
      },
      (call, stamp) => this.#send(call, stamp),
    )
    return reply.value
  }

  async #send(call: Call, stamp: Stamp): Promise<Reply<Answer>> {
    // Whoever sends again does not want the answer that came before.
    if (this.#answer !== undefined) release(this.#answer)
    this.lastCall = call.id
    if (!call.fleet) this.#leftFleet = true
    const lines = stampedLines(this.#hop.headers, stamp, call.target)
    const config = withHeaders(this.#hopConfig(), lines)
    const { validateStatus } = config
    // axios calls it once, when the answer is complete; an error before that is none of an answer.
    let answered = false
    const judged =
      typeof validateStatus === 'function'
        ? { validateStatus: (status: number) => !(answered = !validateStatus(status)) }
        : {}
    const sent = call.target === undefined ? config : towards(config, this.#hop.url, call.target)
    try {
      this.#answer = await this.#client.send({ ...sent, ...judged })
      return replyOf({ response: this.#answer, refusal: undefined })
    } catch (error) {
      const { response } = error as { response?: AxiosResponse }
      if (!answered || response === undefined) throw error
      this.#answer = response
      return replyOf({ response, refusal: error as Error })
    }
  }

  /** The config of the hop, without its headers and without a target. */
  #hopConfig(): AxiosConfig {
    const { url, method, data } = this.#hop
    const hop: AxiosConfig = { ...this.#config, data: data === undefined ? undefined : this.#upload.body() }
    if (!this.#follows) return hop
    const first = { ...hop, ...this.#timeLeft(), maxRedirects: 0 }
    if (this.#hops === 0) return first
    const { auth } = this.#config
    const sameOrigin = url.origin === this.#client.urlOf(this.#config)?.origin
    return {
      ...first,
      method: method.toLowerCase(),
      url: url.href,
      baseURL: undefined,
      params: undefined,
      auth: sameOrigin ? auth : undefined,
    }
  }

  /** `timeout` is one for the whole chain. */
  #timeLeft(): AxiosConfig {
    const { timeout, timeoutErrorMessage } = this.#config
    if (timeout === undefined || timeout <= 0 || this.#hops === 0) return {}
    return {
      timeout: Math.max(1, Math.ceil(timeout - (performance.now() - this.#started))),
      timeoutErrorMessage: timeoutErrorMessage ?? `timeout of ${String(timeout)}ms exceeded`,
    }
  }

  async #redirected(response: AxiosResponse, location: string): Promise<Hop> {
    const { maxRedirects, sensitiveHeaders } = this.#config
    if (++this.#hops > (maxRedirects ?? MAX_REDIRECTS)) {
      const message = 'Maximum number of redirects exceeded'
      throw await this.#client.error(message, 'ERR_FR_TOO_MANY_REDIRECTS', this.#config, response.request)
    }
    try {
      const sensitive = new Set(sensitiveHeaders?.map((name) => name.toLowerCase()))
      const next = redirectedHop(this.#hop, response.status, location, sensitive)
      if (next.data !== undefined && !this.#upload.repeatable) {
        throw new TypeError('the body is a stream that cannot be sent again')
      }
      return beforeRedirect(this.#config, next, this.#hop, response)
    } catch (cause) {
      const message = `Redirected request failed: ${(cause as Error).message}`
      const { request } = response
      throw await this.#client.error(message, 'ERR_FR_REDIRECTION_FAILURE', this.#config, request, cause)
    }
  }
}

function replyOf(answer: Answer): Reply<Answer> {
  const { response } = answer
  const headers = headersOf(response)
  const { data } = response
  return {
    status: response.status,
    header: (name) => headers.get(name),
    value: answer,
    done:
      data instanceof Readable
        ? new Promise((resolve) => finished(data, () => resolve()))
        : Promise.resolve(),
  }
}

function headersOf({ headers }: AxiosResponse): HeaderLines {
  return new HeaderLines(Object.entries(headers))
}

/** Lets go of the body of an answer that nobody will read. */
function release({ data }: AxiosResponse): void {
  if (data instanceof Readable) data.destroy()
  else if (data instanceof ReadableStream) void data.cancel().catch(() => undefined)
}

/** Applications read there where a chain has ended; axios puts it there itself where it follows. */
function sayUrl(response: AxiosResponse, url: URL): AxiosResponse {
  const answer = response.request?.res
  if (answer !== undefined && answer['responseUrl'] === undefined) answer['responseUrl'] = url.href
  return response
}

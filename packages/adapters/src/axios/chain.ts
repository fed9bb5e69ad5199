import {
  isIdempotentMethod,
  performCall,
  type Call,
  type Kit,
  type LostPlace,
  type Reply,
  type Stamp,
} from '@waybill/core/adapter'
import { HeaderLines } from '../node-http/header-lines.js'
import { headersOf, release, replyOf, sayUrl, type Answer } from './answer.js'
import type { AxiosConfig, AxiosResponse } from './axios-shape.js'
import { beforeRedirect } from './before-redirect.js'
import { laterHop, stampedLines, towards, withHeaders, withoutRedirects } from './hop-config.js'
import type { HostClient } from './host-client.js'
import { isRedirect, redirectedHop, type Hop } from './redirect.js'
import { uploadOf, type Upload } from './upload.js'

/** What axios over node:http follows where `maxRedirects` says nothing. */
const MAX_REDIRECTS = 21

/**
 * One call of an application and the redirects that it follows, each a call of the kit of its own: axios would hand the
 * headers of the first request on to any host.
 */
export class Chain {
  readonly #kit: Kit
  readonly #client: HostClient
  readonly #config: AxiosConfig
  readonly #place: LostPlace | undefined
  readonly #follows: boolean
  readonly #upload: Upload
  readonly #started = performance.now()
  readonly #first: URL
  #hop: Hop
  #hops = 0
  /** From there on the chain carries nothing and is not routed: it is left to axios. */
  #leftFleet = false
  /** The last answer of the current hop, until it is the application's. */
  #answer: Answer | undefined
  /** Id of the call that was made last. */
  lastCall: string | undefined

  /**
   * @param config the application's, with the adapter that is to send it.
   * @param url what it calls.
   * @param place from where.
   */
  constructor(kit: Kit, client: HostClient, config: AxiosConfig, url: URL, place: LostPlace | undefined) {
    this.#kit = kit
    this.#client = client
    this.#config = config
    this.#place = place
    this.#first = url
    // axios follows neither over HTTP/2 nor with a transport of the application's own.
    this.#follows =
      config.maxRedirects !== 0 && config['transport'] === undefined && Number(config['httpVersion']) !== 2
    this.#upload = uploadOf(config.data, this.#follows)
    const method = (config.method ?? 'get').toUpperCase()
    this.#hop = { url, method, headers: Object.entries(config.headers ?? {}), data: config.data }
  }

  /** @param after id of the failed call that this one repeats. */
  async run(after: string | undefined): Promise<AxiosResponse> {
    for (let before = after; ; before = this.lastCall) {
      const { response, refusal } = await this.#call(before)
      const ours = this.#follows && !this.#leftFleet
      const location = ours ? headersOf(response).get('location') : undefined
      if (!isRedirect(response.status, location)) {
        if (refusal !== undefined) throw refusal
        return sayUrl(response, this.#hop.url)
      }
      release(this.#answer)
      this.#answer = undefined
      this.#hop = await this.#redirected(response, location)
    }
  }

  async #call(after: string | undefined): Promise<Answer> {
    const { url, method, headers, data } = this.#hop
    // To axios these two mean a header that is not to be sent.
    const lines = new HeaderLines(headers.filter(([, value]) => value !== null && value !== false))
    const { signal } = this.#config
    try {
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
          place: this.#place,
        },
        (call, stamp) => this.#send(call, stamp),
      )
      return reply.value
    } catch (error) {
      release(this.#answer)
      throw error
    }
  }

  async #send(call: Call, stamp: Stamp): Promise<Reply<Answer>> {
    // Whoever sends again does not want the answer that came before.
    release(this.#answer)
    this.#answer = undefined
    this.lastCall = call.id
    if (!call.fleet) this.#leftFleet = true
    const config = withHeaders(
      this.#hopConfig(call.fleet),
      stampedLines(this.#hop.headers, stamp, call.target),
    )
    const { validateStatus } = config
    // axios calls it once, when the answer is complete; an error before that is none of an answer.
    let refused = false
    const judged =
      typeof validateStatus === 'function'
        ? { validateStatus: (status: number) => !(refused = !validateStatus(status)) }
        : {}
    const sent = call.target === undefined ? config : towards(config, this.#hop.url, call.target)
    try {
      this.#answer = { response: await this.#client.send({ ...sent, ...judged }), refusal: undefined }
    } catch (error) {
      const { response } = error as { response?: AxiosResponse }
      if (!refused || response === undefined) throw error
      this.#answer = { response, refusal: error as Error }
    }
    return replyOf(this.#answer)
  }

  /** The config of the hop, before its headers are stamped and without a target. */
  #hopConfig(fleet: boolean): AxiosConfig {
    const { data } = this.#hop
    const hop = { ...this.#config, data: data === undefined ? undefined : this.#upload.body() }
    const config =
      this.#hops === 0 ? hop : laterHop(hop, this.#hop, this.#first, performance.now() - this.#started)
    if (fleet) return withoutRedirects(config)
    // Outside of the fleet there is nothing to guard: the rest of the chain is its adapter's own.
    const { maxRedirects = MAX_REDIRECTS } = config
    return this.#follows && this.#hops > 0 ? { ...config, maxRedirects: maxRedirects - this.#hops } : config
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

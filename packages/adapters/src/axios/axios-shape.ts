/** The few members of an axios instance that the kit touches. */
export interface AxiosLike {
  // axios's own signatures are generic in the config and the response; nothing narrower accepts all its versions.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  (...args: any[]): Promise<any>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  request(config: any): Promise<any>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  getUri(config?: any): string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  create(config?: any): any
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly defaults: any
}

/** Sends a config: an adapter in axios's word. */
export type AxiosAdapter = (config: AxiosConfig) => Promise<AxiosResponse>

/** What may stand in `config.adapter`: a name, a function, or a list of both. */
export type AdapterChoice = string | AxiosAdapter | readonly (string | AxiosAdapter)[]

/** A config as it reaches an adapter: merged with the defaults, after the request interceptors. */
export interface AxiosConfig {
  readonly [field: string]: unknown
  readonly url?: string
  readonly method?: string
  readonly headers?: object
  readonly data?: unknown
  readonly adapter?: AdapterChoice
  readonly timeout?: number
  readonly timeoutErrorMessage?: string
  readonly signal?: unknown
  readonly maxRedirects?: number
  readonly sensitiveHeaders?: readonly string[]
  readonly beforeRedirect?: (
    options: Record<string, unknown>,
    response: { headers: Record<string, unknown>; statusCode: number },
    request: { url: string; method: string; headers: Record<string, unknown> },
  ) => void
  readonly httpAgent?: unknown
  readonly httpsAgent?: unknown
  readonly fetchOptions?: Readonly<Record<string, unknown>>
  readonly validateStatus?: ((status: number) => boolean) | null
}

/** What an adapter resolves with; ours to adjust, it was made for this call. */
export interface AxiosResponse {
  readonly status: number
  readonly headers: object
  data: unknown
  config: unknown
  readonly request?: { readonly res?: Record<string, unknown> }
}

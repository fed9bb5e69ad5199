import type { AxiosConfig, AxiosLike, AxiosResponse } from './axios-shape.js'

/**
 * An axios instance of the kit's own, without defaults and interceptors, made by the application's: it sends a finished
 * config by the adapter that the config names.
 */
export class HostClient {
  readonly #axios: AxiosLike

  /** Writes nothing to `host`. */
  constructor(host: AxiosLike) {
    const own = host.create() as AxiosLike
    for (const name of Object.keys(own.defaults as object))
      delete (own.defaults as Record<string, unknown>)[name]
    this.#axios = own
  }

  /** The URL that a config means, with base and params; undefined where it is none that a network call can have. */
  urlOf(config: AxiosConfig): URL | undefined {
    const uri = this.#axios.getUri(config)
    const url = URL.canParse(uri) ? new URL(uri) : undefined
    return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined
  }

  /** Sends a config as it stands; what the outer axios does to bodies is not done twice. */
  send(config: AxiosConfig): Promise<AxiosResponse> {
    const { adapter } = config
    if (typeof adapter === 'function') return adapter(config)
    return this.#axios.request({ ...config, ...UNTRANSFORMED }) as Promise<AxiosResponse>
  }

  /** An error of the class that this axios throws. */
  async error(
    message: string,
    code: string,
    config: unknown,
    request: unknown,
    cause?: unknown,
  ): Promise<Error> {
    // Instances do not export the class; any error of theirs has it.
    const sample: unknown = await this.#axios
      .request({ url: '', adapter: 'waybill:none' })
      .catch((error: unknown) => error)
    const AxiosError = (sample as object).constructor as new (...args: unknown[]) => Error
    const error = new AxiosError(message, code, config, request)
    if (cause !== undefined) {
      Object.defineProperty(error, 'cause', { value: cause, writable: true, configurable: true })
    }
    return error
  }
}

const UNTRANSFORMED = { transformRequest: undefined, transformResponse: undefined }

import { checkArgument, placeOfCall, type CallEntry, type Kit } from '@waybill/core/adapter'
import type { AdapterChoice, AxiosLike } from './axios-shape.js'
import { callAdapter, isCallAdapter } from './call-adapter.js'
import { HostClient } from './host-client.js'

/** Symbol.for: what another copy of the package has wrapped is not wrapped again. */
const WRAPPED: unique symbol = Symbol.for('@waybill/adapters.axios') as never

const CALL = 'axiosWaybill(kit, axios)'

/** At which place each method takes its config. */
const CONFIG_AT = {
  get: 1,
  delete: 1,
  head: 1,
  options: 1,
  post: 2,
  put: 2,
  patch: 2,
  query: 2,
  postForm: 2,
  putForm: 2,
  patchForm: 2,
  queryForm: 2,
} as const

/**
 * Wraps axios, or an instance of it: calls of the wrapper carry the waybill and go where the kit's interceptors send
 * them. Defaults and interceptors are the instance's; the instance itself is left as it is. What `create()` makes is
 * wrapped, too. Wrapping a wrapper of the same kit returns it.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for what is no kit or no axios.
 */
export function axiosWaybill<Axios extends AxiosLike>(kit: Kit, axios: Axios): Axios {
  checkArgument(CALL, 'kit', kit, 'kit')
  checkArgument(CALL, 'axios', axios, 'function')
  if (kit.disabled || (axios as { [WRAPPED]?: Kit })[WRAPPED] === kit) return axios
  let client: HostClient | undefined
  const withAdapter = (entry: CallEntry, given?: Record<string, unknown> | null): Record<string, unknown> => {
    const config = given ?? {}
    if (kit.disabled || isCallAdapter(config['adapter'], kit)) return config
    const chosen = (config['adapter'] ??
      (axios.defaults as Record<string, unknown>)['adapter']) as AdapterChoice
    // axios calls its adapter in a later turn, when the caller is on no stack any more.
    const place = placeOfCall(kit, entry)
    return { ...config, adapter: callAdapter(kit, (client ??= new HostClient(axios)), chosen, place) }
  }
  const call = (first: unknown, config?: Record<string, unknown>): Promise<unknown> =>
    typeof first === 'string'
      ? axios(first, withAdapter(call, config))
      : axios(withAdapter(call, first as Record<string, unknown> | undefined))
  // All that is not of a call is the instance's own, now and later.
  const wrapper = Object.setPrototypeOf(call, axios) as Axios
  const own: Record<string, unknown> = {
    request: call,
    create: (config?: unknown): unknown => axiosWaybill(kit, axios.create(config) as AxiosLike),
  }
  for (const [name, at] of Object.entries(CONFIG_AT)) {
    const method = (axios as unknown as Record<string, unknown>)[name]
    if (typeof method !== 'function') continue
    const call = (...args: unknown[]): unknown => {
      const given = Array.from({ length: Math.max(args.length, at + 1) }, (_, index) => args[index])
      given[at] = withAdapter(call, given[at] as Record<string, unknown> | undefined)
      return Reflect.apply(method, axios, given) as unknown
    }
    own[name] = call
  }
  if ('default' in axios) own['default'] = wrapper
  Object.defineProperty(wrapper, WRAPPED, { value: kit })
  return Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(own))
}

import type { Kit, LostPlace } from '@waybill/core/adapter'
import type { AdapterChoice, AxiosAdapter, AxiosConfig } from './axios-shape.js'
import { Chain } from './chain.js'
import type { HostClient } from './host-client.js'

/** Symbol.for: a config may be sent again by a wrapper of another copy of the package. */
const OURS: unique symbol = Symbol.for('@waybill/adapters.axios.adapter') as never

/** What the kit puts into `config.adapter` for one call: it stays there when the config is sent again. */
interface CallAdapter extends AxiosAdapter {
  readonly [OURS]: Kit
}

/**
 * The adapter of one call: takes each of its network hops through the kit, and to the adapter that was chosen. A config
 * that failed and is sent again, as axios-retry does, is a call that comes `after` the failed one.
 * @param place where the application made the call; undefined where nobody would be told.
 */
export function callAdapter(
  kit: Kit,
  client: HostClient,
  chosen: AdapterChoice,
  place: LostPlace | undefined,
): AxiosAdapter {
  let failed: { readonly id: string; readonly request: string } | undefined
  const send: AxiosAdapter = async (config) => {
    const url = kit.disabled ? undefined : client.urlOf(config)
    if (url === undefined) return client.send({ ...config, adapter: chosen })
    const request = `${String(config.method)} ${url.href}`
    const chain = new Chain(kit, client, { ...config, adapter: chosen }, url, place)
    try {
      const response = await chain.run(failed?.request === request ? failed.id : undefined)
      return own(response, config)
    } catch (error) {
      if (chain.lastCall !== undefined) failed = { id: chain.lastCall, request }
      throw own(error, config)
    }
  }
  // Unseen by whoever prints a config.
  return Object.defineProperty(send, OURS, { value: kit })
}

/** True for an adapter that this kit has put into a config before. */
export function isCallAdapter(adapter: unknown, kit: Kit): boolean {
  return typeof adapter === 'function' && (adapter as Partial<CallAdapter>)[OURS] === kit
}

/** Answers and errors of a hop bear the hop's config; the application sees the one that it sent. */
function own<Outcome>(outcome: Outcome, config: AxiosConfig): Outcome {
  if (typeof outcome !== 'object' || outcome === null) return outcome
  const bearer = outcome as { config?: unknown; response?: unknown }
  if (bearer.config !== undefined) bearer.config = config
  if (bearer.response !== undefined) own(bearer.response, config)
  return outcome
}

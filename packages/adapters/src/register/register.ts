import { createKit } from '@waybill/core'
import { isWaybillError, openCallSeam, threadKit, WaybillError, type Kit } from '@waybill/core/adapter'
import { bindFetch } from './bound-fetch.js'
import { connectOutside } from './connect-outside.js'
import { carryRequests } from './request-seam.js'
import { adoptOnServers } from './server-seam.js'
import { carryUndici } from './undici-seam.js'

/** Symbol.for: the formats and copies of the package register one kit. */
const REGISTERED: unique symbol = Symbol.for('@waybill/adapters.register') as never

/** The kit by which a seam works at this moment; undefined once it was taken out, and then the seam hands on. */
export type KitOf = () => Kit | undefined

/**
 * Adopts on every server and carries on every call of this thread, by the kit that it has or by one of the environment. The kit
 * that the application makes later, with options of its own, is the thread's from then on, and the seams go by it.
 * Registering again does nothing.
 * @returns an undo.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for an environment that makes no kit, and what else `createKit` throws.
 */
export function register(): () => void {
  const global = globalThis as { [REGISTERED]?: (() => void) | undefined }
  return (global[REGISTERED] ??= install(() => {
    global[REGISTERED] = undefined
  }))
}

function install(removed: () => void): () => void {
  startKit()
  let registered = true
  const kitOf: KitOf = () => (registered ? threadKit(createKit) : undefined)
  const undos = [
    adoptOnServers(kitOf),
    openCallSeam(),
    carryRequests(kitOf),
    bindFetch(kitOf),
    carryUndici(kitOf),
    connectOutside(),
  ]
  return () => {
    if (!registered) return
    registered = false
    for (const undo of undos.reverse()) undo()
    removed()
  }
}

/** A process that nobody may touch must not run by half: it ends here, and whoever started it is told what to set. */
function startKit(): void {
  try {
    threadKit(createKit)
  } catch (error) {
    if (!isWaybillError(error) || error.code !== 'ERR_WAYBILL_CONFIGURATION') throw error
    const remedy = `${error.remedy} A process that is started with @waybill/adapters/register needs at least WAYBILL_SERVICE=<name> and WAYBILL_ENVIRONMENT=development, test, staging or production: docs/register.md#configuration.`
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', error.facts, { remedy })
  }
}

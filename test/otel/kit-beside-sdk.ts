import { join } from 'node:path'
import { startService, type ServiceProcess } from './service-process.js'

/** Where the service runs. */
export interface Place {
  /** The path of a Node. */
  readonly node: string
  /** The folder of its program; what it loads is found from there. */
  readonly folder: string
}

/**
 * A service with the kit, as it is built, and an SDK of OpenTelemetry.
 * @param inventory the origin of the service that it calls.
 */
export function startKitBesideSdk({ node, folder }: Place, inventory: string): Promise<ServiceProcess> {
  return startService(join(folder, 'kit-beside-sdk.cjs'), { node, env: { INVENTORY: inventory } })
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A service with the kit, as it is built, and an SDK of OpenTelemetry, in a process of its own. */
export interface KitBesideSdk {
  readonly origin: string
  stop(): Promise<void>
}

/** Where the service runs. */
export interface Place {
  /** The path of a Node. */
  readonly node: string
  /** The folder of its program; what it loads is found from there. */
  readonly folder: string
}

/** @param inventory the origin of the service that it calls. */
export async function startKitBesideSdk({ node, folder }: Place, inventory: string): Promise<KitBesideSdk> {
  const child = fork(join(folder, 'kit-beside-sdk.cjs'), {
    execPath: node,
    execArgv: [],
    env: { ...process.env, INVENTORY: inventory },
  })
  const ended = once(child, 'exit')
  const [origin] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`the service ended with ${String(code)} before it listened`)
    }),
  ])) as [string]
  return {
    origin,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { directoryRegistry } from '@waybill/routing'
import { hangUp } from './ask.js'
import { ProcessGroup, type RunningService, type ServiceStart } from './process-group.js'

/** The whole shop: a shared zone, another zone, and the machines of three developers. */
export interface Shop {
  readonly web: RunningService
  /** `inventory` of the shared zone. */
  readonly inventory: RunningService
  /** `inventory` on Alice's machine. */
  readonly alice: RunningService
  start(service: ServiceStart): Promise<RunningService>
  /** Ends every process and removes the registry. */
  close(): Promise<void>
}

const shared = (zone: string): Readonly<Record<string, string>> => ({
  WAYBILL_ZONE: zone,
  WAYBILL_BASELINE: '1',
})

/** `inventory` on Alice's machine, as she or somebody with her tag starts it. */
export const aliceInventory = (owner: string): ServiceStart => ({
  service: 'inventory',
  owner,
  env: { WAYBILL_CLK: 'alice', WAYBILL_ZONE: 'az-local' },
  debuggable: true,
})

/** How many instances announce themselves: `shipping` and `web` do not. */
const ANNOUNCED = { order: 2, inventory: 4, payment: 4, coupon: 1 } as const

/** A little more than the time after which every process of a directory registry reads it anew, hint or not. */
const EVERYBODY_HAS_READ_MS = 1_500

/** Starts everything and waits until all that announce are registered. */
export async function openShop(): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-shop-'))
  const registryUrl = `directory:${folder}`
  const group = new ProcessGroup({ WAYBILL_ENVIRONMENT: 'test', WAYBILL_REGISTRY: registryUrl })
  // Of the process, and after the group's own listener, so that a demo ended by Ctrl-C leaves no folder either.
  const removeFolder = (): void => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
  process.once('exit', removeFolder)
  const close = async (): Promise<void> => {
    await group.stop()
    hangUp()
    process.off('exit', removeFolder)
    removeFolder()
  }
  try {
    const shipping = await group.start({ service: 'shipping', owner: 'ci-shipping', env: {} })
    const order: Omit<ServiceStart, 'owner'> = {
      service: 'order',
      env: { ...shared('az-ci'), SHIPPING_URL: shipping.url },
    }
    const [web, inventory, alice] = await Promise.all([
      group.start({ service: 'web', owner: 'ci-web', env: { PORT: '0', WAYBILL_ZONE: 'az-ci' } }),
      group.start({ service: 'inventory', owner: 'ci-inventory-1', env: shared('az-ci') }),
      group.start(aliceInventory('alice@laptop')),
      group.start({ ...order, owner: 'ci-order-1' }),
      group.start({ ...order, owner: 'ci-order-2' }),
      group.start({ service: 'inventory', owner: 'ci-inventory-2', env: shared('az-ci') }),
      group.start({ service: 'inventory', owner: 'b-inventory', env: shared('az-b') }),
      group.start({ service: 'payment', owner: 'ci-payment-1', env: shared('az-ci') }),
      group.start({ service: 'payment', owner: 'ci-payment-2', env: shared('az-ci') }),
      group.start({ service: 'payment', owner: 'bob@laptop', env: { WAYBILL_CLK: 'bob' } }),
      group.start({ service: 'payment', owner: 'team@server', env: { WAYBILL_CLK: 'team.*' } }),
      group.start({ service: 'coupon', owner: 'ci-coupon', env: shared('az-ci') }),
    ])
    await registered(folder)
    return { web, inventory, alice, start: (service) => group.start(service), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function registered(folder: string): Promise<void> {
  const registry = directoryRegistry({ path: folder })
  registry.open('test')
  const giveUp = AbortSignal.timeout(20_000)
  for (const [service, count] of Object.entries(ANNOUNCED)) {
    await registry.ready(service, giveUp)
    while (registry.index(service).size < count) await sleep(50, undefined, { signal: giveUp })
  }
  await registry.close()
  // What this process has read the others will have read when each has looked at the folder once more by itself.
  await sleep(EVERYBODY_HAS_READ_MS)
}

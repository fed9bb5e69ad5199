import { Fleet } from './fleet.js'
import type { RunningService, ServiceStart } from './process-group.js'

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

/** What the manifests of the shared environment say. */
export const shared = (zone: string): Readonly<Record<string, string>> => ({
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

/** Starts everything and waits until all that announce are registered. */
export function openShop(): Promise<Shop> {
  return Fleet.open({}, async (fleet) => {
    const shipping = await fleet.start({ service: 'shipping', owner: 'ci-shipping', env: {} })
    const order: Omit<ServiceStart, 'owner'> = {
      service: 'order',
      env: { ...shared('az-ci'), SHIPPING_URL: shipping.url },
    }
    const [web, inventory, alice] = await Promise.all([
      fleet.start({ service: 'web', owner: 'ci-web', env: { PORT: '0', WAYBILL_ZONE: 'az-ci' } }),
      fleet.start({ service: 'inventory', owner: 'ci-inventory-1', env: shared('az-ci') }),
      fleet.start(aliceInventory('alice@laptop')),
      fleet.start({ ...order, owner: 'ci-order-1' }),
      fleet.start({ ...order, owner: 'ci-order-2' }),
      fleet.start({ service: 'inventory', owner: 'ci-inventory-2', env: shared('az-ci') }),
      fleet.start({ service: 'inventory', owner: 'b-inventory', env: shared('az-b') }),
      fleet.start({ service: 'payment', owner: 'ci-payment-1', env: shared('az-ci') }),
      fleet.start({ service: 'payment', owner: 'ci-payment-2', env: shared('az-ci') }),
      fleet.start({ service: 'payment', owner: 'bob@laptop', env: { WAYBILL_CLK: 'bob' } }),
      fleet.start({ service: 'payment', owner: 'team@server', env: { WAYBILL_CLK: 'team.*' } }),
      fleet.start({ service: 'coupon', owner: 'ci-coupon', env: shared('az-ci') }),
    ])
    await fleet.registered(ANNOUNCED)
    return { web, inventory, alice, start: (service) => fleet.start(service), close: () => fleet.close() }
  })
}

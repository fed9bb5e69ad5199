import { fetchWaybill } from '@waybill/adapters/fetch'
import { createKit } from '@waybill/core'
import { memoryRegistry, route } from '@waybill/routing'

/** A caller whose registry still holds an address that a developer's process has taken over meanwhile. */
export interface StaleCaller {
  /** Calls `inventory` without a tag and tells the status. */
  call(): Promise<number>
  close(): Promise<void>
}

/** @param stale the address that the caller believes to be a baseline instance; @param current where one really is. */
export async function staleCaller(stale: string, current: string): Promise<StaleCaller> {
  const registry = memoryRegistry()
  const kit = createKit({
    service: 'report',
    environment: 'test',
    registry: 'memory:',
    interceptors: [route({ registry })],
  })
  const instance = (id: string, url: string, zone: string) => ({
    id,
    environment: 'test',
    service: 'inventory',
    host: new URL(url).hostname,
    port: Number(new URL(url).port),
    zone,
    clks: [],
    weight: 1,
    enabled: true,
    metadata: {},
  })
  await registry.register(instance('stale', stale, 'az-ci'))
  await registry.register(instance('current', current, 'az-b'))
  const fetch = fetchWaybill(kit)
  return {
    async call() {
      const reply = await fetch('http://inventory/stock/42')
      await reply.body?.cancel()
      return reply.status
    },
    close: () => registry.close(),
  }
}

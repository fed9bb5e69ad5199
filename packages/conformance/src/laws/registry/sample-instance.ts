import type { RegistryIndex, RegistryInstance } from '../../registry-record.js'

/** The service that the laws speak of. */
export const SERVICE = 'inventory'

let port = 20_000

/** An untagged instance at an address of its own. */
export function sampleInstance(id: string, fields: Partial<RegistryInstance> = {}): RegistryInstance {
  port += 1
  return {
    id,
    environment: 'test',
    service: SERVICE,
    host: '127.0.0.1',
    port,
    zone: 'az-ci',
    clks: [],
    weight: 1,
    enabled: true,
    metadata: {},
    ...fields,
  }
}

/** A tagged one; its owner is called like the tag unless said otherwise. */
export function taggedInstance(id: string, clk: string, owner: string = clk): RegistryInstance {
  return sampleInstance(id, { zone: 'az-local', clks: [clk], owner })
}

/** Ids of those that may be called, sorted. */
export function candidatesOf(index: RegistryIndex): string[] {
  return [...index]
    .filter(({ enabled }) => enabled)
    .map(({ id }) => id)
    .sort()
}

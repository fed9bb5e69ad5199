import { systemClock } from '@waybill/core/adapter'
import type { Clock } from '@waybill/core/adapter'
import type { Instance } from '../instance.js'
import type { Registry } from '../registry.js'
import { LeaseRegistry } from './leases/lease-registry.js'
import { MemoryServer } from './memory/memory-server.js'

export interface MemoryRegistryOptions {
  /** Registered from the beginning, without a lease. Those with clks name their owner. */
  readonly instances?: readonly Instance[]
  /** Several registries of one process that share a server see each other's instances. Default: one of its own. */
  readonly server?: MemoryServer
  /** Default: the machine's. */
  readonly clock?: Clock
  /** In [0, 1). Default `Math.random`. */
  readonly random?: () => number
}

/**
 * A registry for tests and for programs of one process. With a {@link MemoryServer} that has a `ttlMs` it behaves like
 * a registry on the network, leases, beats, lost connections and all, by whatever clock it is given.
 */
export function memoryRegistry(options: MemoryRegistryOptions = {}): Registry {
  const clock = options.clock ?? systemClock
  const server = options.server ?? new MemoryServer({ clock })
  for (const instance of options.instances ?? []) server.add(instance)
  return new LeaseRegistry({
    link: server.link(),
    life: server.hasLeases ? 'beats' : 'process',
    clock,
    random: options.random ?? Math.random,
  })
}

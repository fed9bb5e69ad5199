import { systemClock } from '@waybill/core/adapter'
import type { Clock } from '@waybill/core/adapter'
import type { Instance } from '../instance.js'
import type { Registry } from '../registry.js'
import { LeaseRegistry } from './leases/lease-registry.js'
import { MemoryServer } from './memory/memory-server.js'

export interface MemoryRegistryOptions {
  /** Registered from the beginning, without a lease. Those with clks name their owner. */
  readonly instances?: readonly Instance[]
  /**
   * How long a lease lasts without a beat, in milliseconds: the registry then behaves like one on the network, by
   * whatever clock it is given. Default: for ever, since who registers is this process.
   */
  readonly ttlMs?: number
  /** Default: the machine's. */
  readonly clock?: Clock
}

/** A registry for tests and for programs of one process. */
export function memoryRegistry(options: MemoryRegistryOptions = {}): Registry {
  const clock = options.clock ?? systemClock
  const { ttlMs } = options
  const server = new MemoryServer(ttlMs === undefined ? { clock } : { clock, ttlMs })
  for (const instance of options.instances ?? []) server.add(instance)
  return new LeaseRegistry({
    link: server.link(),
    life: ttlMs === undefined ? 'process' : 'beats',
    clock,
    random: Math.random,
  })
}

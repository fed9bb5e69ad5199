import { WaybillError } from '@waybill/core/adapter'
import type {
  RegistryChange,
  RegistryIndex,
  RegistryInstance,
  RegistryUnderTest,
} from '../../registry-record.js'
import { SoundLease } from './sound-lease.js'
import type { SoundRegistry } from './sound-registry.js'
import { SoundService } from './sound-service.js'

/** A process with the registry open. It beats and reads when the world's time goes on. */
export class SoundClient implements RegistryUnderTest {
  protected readonly world: SoundRegistry
  protected readonly leases: SoundLease[] = []
  protected readonly services = new Map<string, SoundService>()
  closed = false

  constructor(world: SoundRegistry) {
    this.world = world
  }

  index(service: string): RegistryIndex {
    return this.#service(service)
  }

  async ready(): Promise<void> {
    this.read()
  }

  watch(service: string, listener: (change: RegistryChange) => void): () => void {
    const { listeners } = this.#service(service)
    const own = (change: RegistryChange): void => {
      listener(change)
    }
    listeners.add(own)
    return () => listeners.delete(own)
  }

  async register(instance: RegistryInstance): Promise<SoundLease> {
    if (this.closed) throw new WaybillError('ERR_WAYBILL_REGISTRY', { why: 'closed' })
    this.world.refuse(instance)
    const lease = new SoundLease(this.world, instance)
    this.leases.push(lease)
    this.world.hold(lease)
    return lease
  }

  async revoke(tag: string): Promise<RegistryInstance[]> {
    return this.world.revoke(tag)
  }

  async close(): Promise<void> {
    this.closed = true
    for (const lease of this.leases) await lease.release()
    for (const service of this.services.values()) service.empty()
  }

  silence(): void {
    for (const lease of this.leases) lease.silent = true
  }

  beat(): void {
    if (this.world.isCut) return
    for (const lease of this.leases) if (!lease.silent && !lease.over) this.world.send(lease)
  }

  read(): void {
    if (this.closed) return
    for (const [name, service] of this.services) {
      service.stale = this.world.isCut
      if (!this.world.isCut) service.take(this.world.seen(name), this.world.now)
    }
  }

  #service(name: string): SoundService {
    let service = this.services.get(name)
    if (service === undefined) {
      this.services.set(name, (service = new SoundService(this.world)))
      if (!this.closed) this.read()
    }
    return service
  }
}

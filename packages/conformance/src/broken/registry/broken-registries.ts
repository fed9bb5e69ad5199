import type { RegistryChange, RegistryInstance, RegistryLawName } from '../../registry-record.js'
import { SoundClient } from './sound-client.js'
import type { SoundLease } from './sound-lease.js'
import { SoundRegistry } from './sound-registry.js'

/** For each law a registry that breaks it, in one step, and no other law. */
export const brokenRegistries: Readonly<Record<RegistryLawName, () => SoundRegistry>> = {
  /** One list for all services. */
  'eventual-view': () =>
    new (class extends SoundRegistry {
      override seen(): RegistryInstance[] {
        return super.seen('inventory')
      }
    })(),

  /** A watch that cannot be ended. */
  'ordered-events': () =>
    withClients(
      class extends SoundClient {
        override watch(service: string, listener: (change: RegistryChange) => void): () => void {
          super.watch(service, listener)
          return () => {}
        }
      },
    ),

  /** Developers' instances beside the shared ones. */
  'plain-client': () =>
    new (class extends SoundRegistry {
      override isShared(): boolean {
        return true
      }
    })(),

  /** Nothing heard means nobody there. */
  'stale-snapshot': () =>
    withClients(
      class extends SoundClient {
        override read(): void {
          super.read()
          if (this.world.isCut) for (const service of this.services.values()) service.take([], this.world.now)
        }
      },
    ),

  /** Every snapshot is believed. */
  'mass-loss': () =>
    new (class extends SoundRegistry {
      override isSuspicious(): boolean {
        return false
      }
    })(),

  'one-owner': () =>
    new (class extends SoundRegistry {
      override refuseTags(): void {}
    })(),

  'one-id': () =>
    new (class extends SoundRegistry {
      override refuseId(): void {}
    })(),

  /** Once registered, always there. */
  'lease-loss': () =>
    new (class extends SoundRegistry {
      override expire(): void {}
    })(),

  /** A beat registers whatever is not there. */
  'late-beat': () =>
    new (class extends SoundRegistry {
      override arrive(lease: SoundLease): void {
        if (lease.over) this.hold(lease)
        else super.arrive(lease)
      }
    })(),

  /** A beat knows its address only, so that is what comes back. */
  're-registration': () =>
    new (class extends SoundRegistry {
      readonly #poor = new Set<string>()

      override registerAgain(lease: SoundLease): void {
        this.#poor.add(lease.instance.id)
        super.registerAgain(lease)
      }

      override seen(service: string): RegistryInstance[] {
        return super
          .seen(service)
          .map((instance) =>
            this.#poor.has(instance.id) ? { ...instance, metadata: {}, weight: 1 } : instance,
          )
      }
    })(),

  /** A registration is up, whatever it was before. */
  'switched-off': () =>
    new (class extends SoundRegistry {
      override registerAgain(lease: SoundLease): void {
        this.off.delete(lease.instance.id)
        super.registerAgain(lease)
      }
    })(),

  /** Taken out, and its holder not told: it beats itself in again. */
  revoked: () =>
    new (class extends SoundRegistry {
      override async revoke(tag: string): Promise<RegistryInstance[]> {
        const ended = [...this.held.values()].filter(({ instance }) => instance.clks.includes(tag))
        for (const { instance } of ended) this.held.delete(instance.id)
        return ended.map(({ instance }) => instance)
      }
    })(),

  /** Closed, and its instances left behind. */
  dispose: () =>
    withClients(
      class extends SoundClient {
        override async close(): Promise<void> {
          this.closed = true
          for (const service of this.services.values()) service.empty()
        }
      },
    ),
}

function withClients(Client: new (world: SoundRegistry) => SoundClient): SoundRegistry {
  return new (class extends SoundRegistry {
    override makeClient(): SoundClient {
      return new Client(this)
    }
  })()
}

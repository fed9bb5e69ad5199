import { registryLaws } from '@waybill/conformance/registry'
import { fakeClock } from '@waybill/core/testing'
import type { Registry } from '../registry.js'
import { LeaseRegistry } from './leases/lease-registry.js'
import type { LeaseLink } from './leases/lease-link.js'
import { MemoryServer } from './memory/memory-server.js'

const TTL_MS = 3_000
const STEP_MS = 100

registryLaws({
  name: 'memory registry with leases',
  laws: {
    'eventual-view': true,
    'ordered-events': true,
    'plain-client': true,
    'stale-snapshot': true,
    'mass-loss': true,
    'one-owner': true,
    'one-id': true,
    'lease-loss': true,
    'late-beat': true,
    're-registration': true,
    'switched-off': true,
    revoked: true,
    dispose: true,
  },
  async open() {
    const clock = fakeClock()
    const server = new MemoryServer({ clock, ttlMs: TTL_MS })
    const opened: Registry[] = []
    let gate = Promise.resolve()

    const opening = (registry: Registry): Registry => {
      registry.open('test')
      opened.push(registry)
      return registry
    }
    const over = (link: LeaseLink): Registry =>
      opening(new LeaseRegistry({ link, life: 'beats', clock, random: () => 0.5 }))
    const slowLink = (): LeaseLink => {
      const link = server.link()
      return { ...link, beat: async (token) => gate.then(() => link.beat(token)) }
    }

    const silent = new Set<string>()
    const link = server.link()
    const placing = over({
      ...link,
      beat: async (token) =>
        silent.has(token.split('#')[0] ?? '') ? new Promise(() => {}) : link.beat(token),
    })

    return {
      settleMs: STEP_MS,
      reconnectMs: 60_000,
      leaseMs: TTL_MS,
      client: async () => over(slowLink()),
      async place(instance) {
        silent.delete(instance.id)
        const lease = await placing.register(instance)
        return () => lease.release()
      },
      async vanish(ids) {
        for (const id of ids) silent.add(id)
        server.expire(...ids)
      },
      plain: async (service) =>
        server
          .instances('test', false)
          .filter((instance) => instance.service === service)
          .map(({ id }) => id),
      pass,
      faults: {
        async holder() {
          let dead = false
          const link = server.link()
          const registry = over({
            ...link,
            beat: async (token) => (dead ? new Promise(() => {}) : link.beat(token)),
          })
          return {
            register: async (instance) => void (await registry.register(instance)),
            kill: async () => {
              dead = true
            },
          }
        },
        cut: async (cut) => {
          server.reachable = !cut
        },
        delayBeats() {
          let open = (): void => {}
          gate = new Promise((resolve) => (open = resolve))
          return async () => {
            open()
            await pass(STEP_MS)
          }
        },
        forget: async (id) => {
          server.forget(id)
        },
        switchOff: async (id) => {
          server.enable(id, false)
        },
      },
      async dispose() {
        server.reachable = true
        await Promise.all(opened.map((registry) => registry.close()))
      },
    }

    async function pass(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        clock.advance(STEP_MS)
        // Answers of the server are promises; they arrive before time goes on.
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  },
})

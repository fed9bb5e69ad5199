import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { registryLaws } from '@waybill/conformance/registry'
import type { Instance } from '../instance.js'
import type { Registry } from '../registry.js'
import { parseRegistryFile } from './file/parse-registry-file.js'
import { fileRegistry } from './file.js'

const STATIC = 'nobody registers in a file: its instances are written down by hand'
/** What it answers to whoever registers. */
const code = 'ERR_WAYBILL_REGISTRY'

registryLaws({
  name: 'file registry',
  laws: {
    'eventual-view': true,
    'ordered-events': true,
    'plain-client': true,
    'stale-snapshot': true,
    'mass-loss': true,
    'one-owner': { no: `${STATIC}; two owners of one tag are a mistake in the file`, code },
    'one-id': { no: `${STATIC}; an id that stands twice is a mistake in the file`, code },
    'lease-loss': { no: 'it has no leases; a process that ended is found out by the first call to it' },
    'late-beat': { no: STATIC, code },
    're-registration': { no: STATIC, code },
    'switched-off': { no: `${STATIC}, and so is enabled: false, which nothing else changes`, code },
    revoked: { no: `${STATIC}, and taken out by hand`, code },
    dispose: { no: STATIC, code },
  },
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-file-'))
    const paths = {
      shared: join(folder, 'registry.json'),
      developers: join(folder, 'registry.developers.json'),
    }
    const opened: Registry[] = []
    let placed: Instance[] = []
    let isCut = false
    const write = (): void => {
      const shared = isCut
        ? '{ "instances": ['
        : JSON.stringify({ instances: placed.filter(({ clks }) => clks.length === 0) })
      // As deployment tools do: another file under the same name.
      writeFileSync(`${paths.shared}.new`, shared)
      renameSync(`${paths.shared}.new`, paths.shared)
      writeFileSync(
        paths.developers,
        JSON.stringify({ instances: placed.filter(({ clks }) => clks.length > 0) }),
      )
    }
    const take = async (ids: readonly string[]): Promise<void> => {
      placed = placed.filter(({ id }) => !ids.includes(id))
      write()
    }
    write()
    return {
      settleMs: 300,
      reconnectMs: 300,
      leaseMs: 800,
      async client() {
        const registry = fileRegistry({ path: paths.shared, pollMs: 150, leaseMs: 800 })
        registry.open('test')
        opened.push(registry)
        return registry
      },
      async place(instance) {
        placed = [...placed, instance]
        write()
        return () => take([instance.id])
      },
      vanish: take,
      plain: async (service) =>
        parseRegistryFile(readFileSync(paths.shared, 'utf8'), {
          file: '',
          environment: 'test',
          tagged: false,
          otherFile: '',
          remedy: '',
        })
          .filter((instance) => instance.service === service)
          .map(({ id }) => id),
      async pass(ms) {
        await setTimeout(ms)
        // After a stall all is due at once, and one look follows the other.
        await setTimeout(100)
      },
      faults: {
        async cut(cut) {
          isCut = cut
          write()
        },
      },
      async dispose() {
        await Promise.all(opened.map((registry) => registry.close()))
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
})

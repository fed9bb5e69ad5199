import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { registryLaws } from '@waybill/conformance/registry'
import type { Registry } from '../registry.js'
import { bundleScript } from '../script-process.js'
import type { Script, ScriptProcess } from '../script-process.js'
import { directoryRegistry } from './directory.js'
import { fileNameOf } from './directory/lease-file.js'

let script: Script
beforeAll(async () => {
  script = await bundleScript(fileURLToPath(new URL('directory/directory-script.ts', import.meta.url)))
})
afterAll(() => {
  script.dispose()
})

registryLaws({
  name: 'directory registry',
  laws: {
    'eventual-view': true,
    'ordered-events': true,
    'plain-client': true,
    'stale-snapshot': true,
    'mass-loss': { no: 'a process that left or ended is known for certain; nothing is guessed from beats' },
    'one-owner': true,
    'one-id': true,
    'lease-loss': true,
    'late-beat': { no: 'there are no beats' },
    're-registration': true,
    'switched-off': { no: 'it has no hand that switches: whoever owns the folder owns the processes too' },
    revoked: true,
    dispose: true,
  },
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-directory-'))
    const inside = join(folder, 'test')
    const opened: Registry[] = []
    const holders: ScriptProcess[] = []
    const client = async (): Promise<Registry> => {
      const registry = directoryRegistry({ path: folder })
      registry.open('test')
      opened.push(registry)
      return registry
    }
    const placing = await client()
    return {
      // Once a second the folder is read, where the system tells of no change.
      settleMs: 1_300,
      reconnectMs: 1_300,
      leaseMs: 300,
      client,
      async place(instance) {
        const lease = await placing.register(instance)
        return () => lease.release()
      },
      plain: async (service) =>
        readdirSync(join(inside, 'baseline'))
          .filter((name) => name.endsWith('.json'))
          .map((name) => JSON.parse(readFileSync(join(inside, 'baseline', name), 'utf8')).instance)
          .filter((instance) => instance.service === service)
          .map(({ id }) => id),
      pass: (ms) => setTimeout(ms),
      faults: {
        async holder() {
          const holder = await script.start([folder])
          holders.push(holder)
          return {
            register: async (instance) => void (await holder.ask({ register: instance })),
            kill: () => holder.end('SIGKILL'),
          }
        },
        async cut(cut) {
          if (cut) {
            renameSync(inside, `${inside}-away`)
            // Something that nobody can make a folder of.
            writeFileSync(inside, '')
          } else {
            rmSync(inside)
            renameSync(`${inside}-away`, inside)
          }
        },
        async forget(id) {
          for (const part of ['baseline', 'developers']) {
            rmSync(join(inside, part, `${fileNameOf(id)}.json`), { force: true })
          }
        },
      },
      async dispose() {
        await Promise.all(holders.map((holder) => holder.end('SIGKILL')))
        await Promise.all(opened.map((registry) => registry.close()))
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
})

import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { floors, read, root } from '../architecture/source-files.js'

/** Where the applications find the packages of the kit. */
const NODE_MODULES = join(root, 'test/bundles/applications/node_modules')

/**
 * Puts the built packages where the applications find them as users do: in `node_modules`, without a link into this
 * repository, so that a bundler treats them as it treats the packages of others.
 */
export default function setup(): () => void {
  rmSync(NODE_MODULES, { recursive: true, force: true })
  for (const floor of floors) {
    const manifest = JSON.parse(read(`packages/${floor}/package.json`)) as { name: string; private?: boolean }
    if (manifest.private === true) continue
    for (const part of ['package.json', 'dist']) {
      cpSync(join(root, 'packages', floor, part), join(NODE_MODULES, manifest.name, part), {
        recursive: true,
      })
    }
  }
  return () => rmSync(NODE_MODULES, { recursive: true, force: true })
}

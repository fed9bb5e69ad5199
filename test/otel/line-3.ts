import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { otherNodes, runningMajor } from '../../tools/other-nodes.mjs'
import { root } from '../../tools/run.mjs'
import { installFrom } from '../../tools/setup.mjs'
import type { Place } from './kit-beside-sdk.js'

const LOCK = 'test/otel/line-3/'
const PROGRAM = new URL('services/kit-beside-sdk.cjs', import.meta.url)
const PACKAGES = ['core', 'adapters']
const MAJOR = 24

/** A place with the 3.x line of OpenTelemetry. */
export interface Line3 extends Place {
  remove(): Promise<void>
}

/**
 * Installs the kit, as it is built, beside the packages of the lock, for Node 24.
 * @returns why not, where npm has no such Node for this system.
 * @throws where npm cannot bring what a lock says.
 */
export async function installLine3(): Promise<Line3 | string> {
  const { node, why } = await findNode()
  if (node === undefined) return why
  if (!(await installFrom(LOCK, 'OpenTelemetry 3.x for the tests'))) throw new Error(`${LOCK}: npm ci failed`)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'waybill-line-3-')))
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@waybill'), { recursive: true })
  const installed = join(root, LOCK, 'node_modules')
  for (const name of (await readdir(installed)).filter((each) => !each.startsWith('.'))) {
    await symlink(join(installed, name), join(modules, name))
  }
  // Copies: what is linked would find the api of the workspaces.
  for (const name of PACKAGES) {
    for (const part of ['package.json', 'dist']) {
      await cp(join(root, 'packages', name, part), join(modules, '@waybill', name, part), { recursive: true })
    }
  }
  await cp(fileURLToPath(PROGRAM), join(folder, 'kit-beside-sdk.cjs'))
  return { node, folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function findNode(): Promise<{ readonly node: string | undefined; readonly why: string }> {
  if (runningMajor === MAJOR) return { node: process.execPath, why: '' }
  const { nodes, note = '', installed } = await otherNodes()
  if (!installed) throw new Error('tools/node-matrix: npm ci failed')
  return { node: nodes.find(({ major }) => major === MAJOR)?.program, why: note }
}

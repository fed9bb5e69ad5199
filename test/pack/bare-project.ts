import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { floors, read, root } from '../architecture/source-files.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder outside the repository into which the packed tarballs were installed, as a user would. */
    readonly bareProject: string
    /** Those tarballs, by package name. */
    readonly tarballs: Readonly<Record<string, string>>
  }
}

/** Packs every published package and installs the tarballs into an empty project, once for all tests of test/pack. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-pack-')))
  const tarballs: Record<string, string> = {}
  for (const floor of floors) {
    const manifest = JSON.parse(read(`packages/${floor}/package.json`)) as { name: string; private?: boolean }
    if (manifest.private !== true) tarballs[manifest.name] = await pack(join('packages', floor), folder)
  }
  // Ours depends on this one, in the version of the lock: a registry that does not answer fails no test.
  const yaml = await pack('node_modules/yaml', folder)

  const bareProject = join(folder, 'project')
  mkdirSync(bareProject)
  writeFileSync(join(bareProject, 'package.json'), JSON.stringify({ name: 'bare', private: true }))
  await npm(
    ['install', '--offline', '--no-audit', '--no-fund', ...Object.values(tarballs), yaml],
    bareProject,
  )
  // What a user has beside our packages, as the lock of this repository pins it.
  for (const name of ['@types/node', 'undici-types', 'vitest', '@opentelemetry/api']) link(name, bareProject)

  project.provide('bareProject', bareProject)
  project.provide('tarballs', tarballs)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Packs the package at a path from the root into a folder; returns the path of the tarball. */
async function pack(path: string, folder: string): Promise<string> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const stdout = await npm(args, join(root, path))
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return join(folder, filename)
}

function link(name: string, project: string): void {
  const place = join(project, 'node_modules', name)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), place, 'dir')
}

const npm = (args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile('npm', args, { cwd }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`npm ${args.join(' ')}\n${stdout}${stderr}`))
    })
  })

import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { root } from '../architecture/source-files.js'

/** How a process ended. */
export interface Ending {
  readonly code: number
  /** Both streams, for the message of a failed test. */
  readonly output: string
}

/** Writes files into a folder of their own in the bare project and returns its path. */
export function folderWith(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(inject('bareProject'), name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Runs Node without anything of the test runner's own environment. @param env what it has besides. */
export const node = (
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ending> =>
  new Promise((resolve) => {
    const own = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(WAYBILL|VITEST|JEST|NODE_ENV|NODE_OPTIONS|TEST)/.test(name),
      ),
    )
    execFile(process.execPath, args, { cwd, env: { ...own, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr })
    })
  })

/** The path of a tool that the lock of this repository pins. */
export const tool = (path: string): string => join(root, 'node_modules', path)

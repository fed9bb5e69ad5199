import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** A TypeScript file of a package. */
export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string
  /** The floor it lies on: `core`, `adapters`, … */
  readonly floor: string
  readonly text: string
}

export const floors: readonly string[] = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
)

export const sourceFiles: readonly SourceFile[] = floors.flatMap((floor) =>
  typescriptFiles(`packages/${floor}/src`).map((path) => ({
    path,
    floor,
    text: readFileSync(join(root, path), 'utf8'),
  })),
)

function typescriptFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return typescriptFiles(path)
    return entry.name.endsWith('.ts') ? [path] : []
  })
}

/** The text of a file of the root; a missing one reads as empty, so that the comparison says what it lacks. */
export const read = (path: string): string =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''

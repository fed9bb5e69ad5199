import { entryFiles } from './entries.js'
import { importsOf } from './imports.js'
import { sourceFiles, type SourceFile } from './source-files.js'

/** The entries that run in production: all but `./testing`. */
export const applicationEntries: readonly string[] = entryFiles
  .filter(({ name }) => !name.endsWith('/testing'))
  .map(({ file }) => file)

/** What an entry reaches, which is what users get: no test, no conformance record, and nothing that only those need. */
export const publishedFiles: readonly SourceFile[] = reachable(entryFiles.map(({ file }) => file))

/** The files that are imported, however far away, from these of the same package. */
export function reachable(starts: readonly string[]): SourceFile[] {
  const byPath = new Map(sourceFiles.map((file) => [file.path, file]))
  const found = new Set<SourceFile>()
  const visit = (path: string): void => {
    const file = byPath.get(path)
    if (file === undefined || found.has(file)) return
    found.add(file)
    importsOf(file).forEach(visit)
  }
  starts.forEach(visit)
  return [...found]
}

import { linkSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readSafeFile, temporaryName } from './safe-folder.js'

/** What stands in a versioned file now; version 0 is one that was never written. */
export interface Version {
  readonly version: number
  /** Undefined at version 0 and where the content is not readable. */
  readonly text: string | undefined
}

/**
 * One value that several processes change without a lock or a server: each version is a file of its own,
 * `name@7.json`, and the highest number counts. `link` refuses a name that exists, so of all who saw version 7 exactly
 * one makes version 8; the others look again. A process that dies between two steps leaves nothing locked.
 *
 * (Looking first and writing then lets several win; taking a lock file over from a dead process has the same hole.)
 */
export class VersionedFile {
  readonly #folder: string
  readonly #name: string

  /** `name` is part of file names: letters, digits, dot and dash alone. */
  constructor(folder: string, name: string) {
    this.#folder = folder
    this.#name = name
  }

  read(): Version {
    const version = this.#versions().at(-1) ?? 0
    return { version, text: version === 0 ? undefined : readSafeFile(this.#path(version)) }
  }

  /**
   * Writes `text` as the version after `seen`. False where somebody was faster: read and decide again.
   */
  replace(seen: number, text: string): boolean {
    const version = seen + 1
    const temporary = `${this.#folder}/${temporaryName()}`
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    try {
      linkSync(temporary, this.#path(version))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      rmSync(temporary, { force: true })
    }
    return this.#confirm(seen, version)
  }

  /**
   * Old versions are removed, so a process that slept since it looked may have made one that stood there before.
   * It has won only if nothing is above its version and what it replaced is still below.
   */
  #confirm(seen: number, version: number): boolean {
    const versions = this.#versions()
    const isLast = versions.at(-1) === version
    const follows = seen === 0 || versions.includes(seen)
    if (!isLast || !follows) {
      rmSync(this.#path(version), { force: true })
      return false
    }
    // The one before the last stays, for the question above.
    for (const old of versions) if (old < seen) rmSync(this.#path(old), { force: true })
    return true
  }

  #path(version: number): string {
    return `${this.#folder}/${this.#name}@${String(version)}.json`
  }

  /** Ascending. */
  #versions(): number[] {
    const prefix = `${this.#name}@`
    const versions: number[] = []
    for (const file of readdirSync(this.#folder)) {
      if (!file.startsWith(prefix)) continue
      const version = versionIn(file)
      if (version !== undefined) versions.push(version)
    }
    return versions.sort((a, b) => a - b)
  }
}

function versionIn(file: string): number | undefined {
  const digits = /@([1-9]\d{0,14})\.json$/.exec(file)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The name in the last version's file of every value in the folder, with that version. */
export function lastVersions(folder: string): Map<string, number> {
  const last = new Map<string, number>()
  for (const file of readdirSync(folder)) {
    const version = versionIn(file)
    if (version === undefined) continue
    const name = file.slice(0, file.lastIndexOf('@'))
    if (version > (last.get(name) ?? 0)) last.set(name, version)
  }
  return last
}

/** When a version was written, epoch milliseconds; undefined where it is gone. */
export function writtenAt(folder: string, name: string, version: number): number | undefined {
  try {
    return lstatSync(`${folder}/${name}@${String(version)}.json`).mtimeMs
  } catch {
    return undefined
  }
}

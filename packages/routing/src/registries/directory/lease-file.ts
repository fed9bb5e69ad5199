import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import type { Instance } from '../../instance.js'
import { readInstance } from '../../instance.js'
import type { ProcessMark } from './process-life.js'
import { readMark } from './process-life.js'
import { readSafeFile, writeWhole } from './safe-folder.js'

/** What one registration writes down. */
export interface LeaseRecord {
  /** Tells this registration from an earlier or later one of the same id. */
  readonly token: string
  readonly process: ProcessMark
  readonly instance: Instance
}

/** Files of one folder that are looked at; what a hostile or broken writer adds beyond them is not. */
const FILES_AT_MOST = 10_000

/** The name of an id's file: readable, and safe whatever the id holds. */
export function fileNameOf(id: string): string {
  const readable = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${readable}-${createHash('sha256').update(id).digest('hex').slice(0, 16)}`
}

export function writeLease(folder: string, record: LeaseRecord): void {
  writeWhole(folder, `${fileNameOf(record.instance.id)}.json`, `${JSON.stringify(record, null, 1)}\n`)
}

export function readLease(folder: string, id: string): LeaseRecord | undefined {
  return parseLease(readSafeFile(`${folder}/${fileNameOf(id)}.json`))
}

/** Removes the file of this very registration; a later one's stays. */
export function removeLease(folder: string, record: LeaseRecord): void {
  const { id } = record.instance
  if (readLease(folder, id)?.token === record.token)
    rmSync(`${folder}/${fileNameOf(id)}.json`, { force: true })
}

interface KnownFile {
  readonly stamp: string
  readonly record: LeaseRecord | undefined
}

/** The leases of one folder: what it holds, read anew only where a file has changed. */
export class LeaseFolder {
  /** Files that were no lease: unsafe, too large, not readable, or in the wrong folder. Each content counts once. */
  dropped = 0
  readonly #folder: string
  readonly #tagged: boolean
  #files = new Map<string, KnownFile>()

  /** @param tagged whether this is the developers' folder: a lease in the wrong one is none. */
  constructor(folder: string, tagged: boolean) {
    this.#folder = folder
    this.#tagged = tagged
  }

  /** @throws the file system's error where the folder is gone. */
  read(): LeaseRecord[] {
    const files = new Map<string, KnownFile>()
    for (const name of readdirSync(this.#folder)) {
      if (name.startsWith('.') || !name.endsWith('.json')) continue
      if (files.size === FILES_AT_MOST) break
      const stamp = stampOf(`${this.#folder}/${name}`)
      if (stamp === undefined) continue
      const known = this.#files.get(name)
      files.set(name, known?.stamp === stamp ? known : { stamp, record: this.#readFile(name) })
    }
    this.#files = files
    return [...files.values()].flatMap(({ record }) => record ?? [])
  }

  #readFile(name: string): LeaseRecord | undefined {
    const record = parseLease(readSafeFile(`${this.#folder}/${name}`))
    // The name is made of the id, so that two files never speak for one.
    const isOne =
      record !== undefined &&
      record.instance.clks.length > 0 === this.#tagged &&
      `${fileNameOf(record.instance.id)}.json` === name
    if (isOne) return record
    this.dropped += 1
    return undefined
  }
}

/** Files are replaced whole, so another content is another inode. */
function stampOf(path: string): string | undefined {
  try {
    const { ino, mtimeMs, size } = lstatSync(path)
    return `${String(ino)} ${String(mtimeMs)} ${String(size)}`
  } catch {
    return undefined
  }
}

function parseLease(text: string | undefined): LeaseRecord | undefined {
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { token, process, instance } = value as Record<string, unknown>
  const mark = readMark(process)
  if (typeof token !== 'string' || token.length > 64 || mark === undefined) return undefined
  const reading = readInstance(instance)
  return 'instance' in reading ? { token, process: mark, instance: reading.instance } : undefined
}

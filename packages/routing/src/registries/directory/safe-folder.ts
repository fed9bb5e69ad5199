import {
  constants,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '@waybill/core/adapter'

/** Group and others: may write. */
const WRITABLE_BY_OTHERS = 0o022

/**
 * Makes the folder where it is missing (0700) and proves that nobody but this user can write into it: whoever can,
 * can send every developer's requests wherever he likes.
 *
 * @throws WaybillError `ERR_WAYBILL_REGISTRY_UNSAFE` for a link, another user's folder, one that others may write,
 * or something that is no folder.
 */
export function safeFolder(path: string): string {
  const folder = resolve(path)
  let made: ReturnType<typeof lstatSync>
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    made = lstatSync(folder)
  } catch (cause) {
    throw unsafe(folder, 'cannot be made or read', cause)
  }
  const fault = faultOf(made)
  if (fault !== undefined) throw unsafe(folder, fault)
  return folder
}

function faultOf(stats: NonNullable<ReturnType<typeof lstatSync>>): string | undefined {
  if (stats.isSymbolicLink()) return 'is a symbolic link'
  if (!stats.isDirectory()) return 'is not a folder'
  if (!isOwn(Number(stats.uid))) return `belongs to user ${String(stats.uid)}`
  if ((Number(stats.mode) & WRITABLE_BY_OTHERS) !== 0) {
    return `may be written by others (mode ${(Number(stats.mode) & 0o777).toString(8).padStart(4, '0')})`
  }
  return undefined
}

const isOwn = (uid: number): boolean => process.getuid === undefined || uid === process.getuid()

const unsafe = (folder: string, why: string, cause?: unknown): WaybillError =>
  new WaybillError('ERR_WAYBILL_REGISTRY_UNSAFE', { folder, why }, cause === undefined ? {} : { cause })

/** What a file of ours may weigh. A lease is about 700 bytes, with all the metadata that may be 25,000. */
export const FILE_BYTES = 65_536

/**
 * The text of a file of ours. Undefined where it is gone, a link, another user's, writable by others, not a plain
 * file or too large: content from outside never throws.
 */
export function readSafeFile(path: string): string | undefined {
  let file: number | undefined
  try {
    // Without O_NONBLOCK a named pipe would hold the process until somebody writes into it.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = fstatSync(file)
    if (!stats.isFile() || !isOwn(stats.uid) || (stats.mode & WRITABLE_BY_OTHERS) !== 0) return undefined
    if (stats.size > FILE_BYTES) return undefined
    const bytes = Buffer.alloc(stats.size)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, stats.size, 0))
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

let written = 0

/** A file that no reader takes for one of ours: its name begins with a dot. Unique in this process. */
export function temporaryName(): string {
  written += 1
  return `.${String(process.pid)}-${String(written)}.tmp`
}

/** Writes the whole file or none: readers see the old content or the new one, never a part. */
export function writeWhole(folder: string, name: string, text: string): void {
  const temporary = `${folder}/${temporaryName()}`
  writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
  try {
    renameSync(temporary, `${folder}/${name}`)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

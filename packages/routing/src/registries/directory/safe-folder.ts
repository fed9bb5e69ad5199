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
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { WaybillError } from '@waybill/core/adapter'

/** Group and others: may write. */
const WRITABLE_BY_OTHERS = 0o022
/** In such a folder, as /tmp is, only the owner of an entry may rename or remove it. */
const STICKY = 0o1000

/**
 * Makes the folder where it is missing (0700) and proves that nobody but this user can write into it: whoever can,
 * can send every developer's requests wherever he likes.
 *
 * @throws WaybillError `ERR_WAYBILL_REGISTRY_UNSAFE` for a link, another user's folder, one that others may write;
 * `ERR_WAYBILL_REGISTRY` with the system's code where it cannot be made or read.
 */
export function safeFolder(path: string): string {
  const folder = resolve(path)
  let made: ReturnType<typeof lstatSync>
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    made = lstatSync(folder)
  } catch (cause) {
    throw unusable(folder, cause)
  }
  const fault = faultOf(made)
  if (fault !== undefined) throw unsafe(folder, fault)
  return folder
}

/**
 * Proves that nobody but this user and root can put another folder in the place of this one.
 *
 * @throws WaybillError `ERR_WAYBILL_REGISTRY_UNSAFE` where the folder that it lies in is another user's, or others may
 * rename what is in it.
 */
export function safeParent(path: string): void {
  const folder = resolve(path)
  const parent = dirname(folder)
  let stats: NonNullable<ReturnType<typeof statSync>>
  try {
    // What a link leads to is where the folder lies.
    stats = statSync(parent)
  } catch (cause) {
    throw unusable(parent, cause)
  }
  const mode = Number(stats.mode)
  if (!isOwn(Number(stats.uid)) && stats.uid !== 0) {
    throw unsafe(folder, `lies in ${parent}, which belongs to user ${String(stats.uid)}`)
  }
  if ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0) return
  throw unsafe(folder, `lies in ${parent}, where others may replace it (mode ${modeOf(mode)})`, {
    remedy: `Take that right from others (chmod go-w), or name another folder in WAYBILL_REGISTRY=directory:/path.`,
  })
}

function faultOf(stats: NonNullable<ReturnType<typeof lstatSync>>): string | undefined {
  if (stats.isSymbolicLink()) return 'is a symbolic link'
  if (!stats.isDirectory()) return 'is not a folder'
  if (!isOwn(Number(stats.uid))) return `belongs to user ${String(stats.uid)}`
  if ((Number(stats.mode) & WRITABLE_BY_OTHERS) !== 0) {
    return `may be written by others (mode ${modeOf(Number(stats.mode))})`
  }
  return undefined
}

const isOwn = (uid: number): boolean => process.getuid === undefined || uid === process.getuid()

const modeOf = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

const unsafe = (folder: string, why: string, options: { readonly remedy?: string } = {}): WaybillError =>
  new WaybillError('ERR_WAYBILL_REGISTRY_UNSAFE', { folder, why }, options)

const unusable = (folder: string, cause: unknown): WaybillError =>
  new WaybillError(
    'ERR_WAYBILL_REGISTRY',
    {
      registry: 'directory',
      folder,
      why: `cannot be made or read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`,
    },
    { cause, remedy: 'Make it a folder of this user, or name another in WAYBILL_REGISTRY=directory:/path.' },
  )

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

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'

/** @param {string | Buffer} content */
export const shortHash = (content) => createHash('sha256').update(content).digest('hex').slice(0, 12)

/**
 * A folder of the user's cache. A relative `$XDG_CACHE_HOME` counts as none, as its specification says.
 * @param {string} name
 */
export const cacheFolder = (name) => {
  const home = process.env.XDG_CACHE_HOME
  return join(home && isAbsolute(home) ? home : join(homedir(), '.cache'), 'waybill', name)
}

/**
 * Makes a file or folder unless it is there. It appears whole or not at all: it is made beside its place and renamed, so
 * that several processes may try at once and one may die in the middle. The first to end is the one that counts.
 * @param {string} path
 * @param {(draft: string) => Promise<void>} make
 * @returns {Promise<string>} the path
 */
export const madeOnce = async (path, make) => {
  if (existsSync(path)) return path
  await mkdir(dirname(path), { recursive: true })
  const workshop = await mkdtemp(`${path}.`)
  try {
    const draft = join(workshop, basename(path))
    await make(draft)
    await rename(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
  return path
}

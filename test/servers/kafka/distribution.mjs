import { readFile, readdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mayInstall } from '../machine/apt.mjs'
import { installMavenAndJdk } from './apt.mjs'
import { cacheFolder, madeOnce, shortHash } from './cache.mjs'
import { findJava } from './java.mjs'
import { POM, fetchJars, hasMaven } from './maven.mjs'
import { unavailable } from './unavailable.mjs'

/**
 * @typedef {object} Distribution Kafka's own programs, ready to run
 * @property {string} folder of the cache, which holds the jars and what is derived from them
 * @property {import('./java.mjs').Java} java
 * @property {string} classPath spelt out and sorted: a class archive holds for no other
 */

/** Whether the jars are there, or can be fetched. */
const jarsAtHand = async (/** @type {string} */ jars) => existsSync(jars) || hasMaven()

/**
 * @returns {Promise<Distribution>}
 * @throws with the line to type, where a tool is missing and cannot be installed.
 */
export const distribution = async () => {
  const folder = cacheFolder(`kafka-${shortHash(await readFile(POM))}`)
  const jars = join(folder, 'jars')
  let java = await findJava()
  if ((java === undefined || !(await jarsAtHand(jars))) && mayInstall()) {
    await installMavenAndJdk()
    java = await findJava()
  }
  if (java === undefined) throw unavailable('There is no Java 17 or newer.')
  if (!(await jarsAtHand(jars))) throw unavailable('There is no Maven.')
  await madeOnce(jars, fetchJars)
  const names = (await readdir(jars)).filter((name) => name.endsWith('.jar')).sort()
  return { folder, java, classPath: names.map((name) => join(jars, name)).join(':') }
}

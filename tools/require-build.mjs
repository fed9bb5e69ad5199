/**
 * `prepack` of every published package: without a build `npm pack` would make a tarball that lacks what its `exports`
 * name, and end with 0. Runs in the package's folder and says nothing where all is well.
 */
import { existsSync, readFileSync } from 'node:fs'

/**
 * @param {unknown} target a path, or conditions that lead to paths
 * @returns {string[]}
 */
const pathsOf = (target) =>
  typeof target === 'string' ? [target] : Object.values(target ?? {}).flatMap(pathsOf)

/** @type {{ name: string, exports: unknown }} */
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const missing = pathsOf(manifest.exports).find((path) => !existsSync(path))
if (missing !== undefined) {
  console.error(`${manifest.name} lacks ${missing}: run npm run build first, in the root of the repository`)
  process.exitCode = 1
}

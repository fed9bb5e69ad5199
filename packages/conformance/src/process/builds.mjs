import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Loads every entry of packages in both formats, by the paths in their `exports`, as an application that is half ESM
 * and half CommonJS does. One that acts on the process as soon as it is loaded is left out.
 * @param {string} folder from which the packages resolve
 * @param {readonly string[]} packages
 */
export const loadBoth = async (folder, packages) => {
  const require = createRequire(join(folder, 'from-here.cjs'))
  const esm = {}
  const cjs = {}
  const folders = []
  for (const name of packages) {
    const manifest = realpathSync(require.resolve(`${name}/package.json`))
    folders.push(dirname(manifest))
    const { exports, sideEffects } = require(manifest)
    for (const [key, entry] of Object.entries(exports)) {
      if (typeof entry === 'string' || (sideEffects || []).includes(entry.import.default)) continue
      const specifier = name + key.slice(1)
      const path = join(dirname(manifest), entry.import.default)
      if (!existsSync(path)) throw new Error(`${path} is not built: npm run build`)
      esm[specifier] = await import(pathToFileURL(path).href)
      cjs[specifier] = require(join(dirname(manifest), entry.require.default))
    }
  }
  return { esm, cjs, folders, require }
}

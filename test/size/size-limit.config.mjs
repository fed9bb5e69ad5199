import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const PACKAGES = new URL('../../packages/', import.meta.url)

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {boolean} [private] whether it is never published
 * @property {Record<string, string | { import: { default: string } }>} exports
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 */

/**
 * Bytes of the built ES module with the chunks that it loads, minified and compressed by gzip. Each package is counted
 * where it stands and nowhere else: an adapter without core, routing without the packages of others. So rows add up over
 * packages; entries of one package share chunks, and two of them together are less than their sum.
 * @param {string} name
 * @param {string} path
 * @param {readonly string[]} [ignore] packages that have a row of their own
 * @returns {import('size-limit').SizeLimitConfig[number]}
 */
const row = (name, path, ignore = []) => {
  // size-limit itself takes a file that is not there for an empty one.
  if (!existsSync(path)) throw new Error(`${path} is not built: npm run build`)
  return {
    name,
    path,
    gzip: true,
    ignore: [...ignore],
    // As Node loads it. For a browser, esbuild's default, `yaml` would be another file.
    modifyEsbuildConfig: (config) =>
      /** @type {NonNullable<typeof config>} */ ({
        ...config,
        platform: 'node',
        format: 'esm',
        target: 'node20.19',
      }),
  }
}

/** @param {URL} folder of a package */
const rowsOf = (folder) => {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  if (manifest.private) return []
  const dependencies = Object.keys(manifest.dependencies ?? {})
  const peers = Object.keys(manifest.peerDependencies ?? {})
  const entries = Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return []
    const path = fileURLToPath(new URL(target.import.default, folder))
    return [row(`${manifest.name}${subpath.slice(1)}`, path, [...dependencies, ...peers])]
  })
  const ofOthers = dependencies.filter((name) => !name.startsWith('@waybill/'))
  const { resolve } = createRequire(new URL('package.json', folder))
  return [...entries, ...ofOthers.map((name) => row(name, resolve(name)))]
}

/** `npx size-limit --config test/size/size-limit.config.mjs` prints the sizes as they are. */
export default readdirSync(PACKAGES).flatMap((name) => rowsOf(new URL(`${name}/`, PACKAGES)))

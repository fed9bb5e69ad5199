import { floors, read } from './source-files.js'

/** An entry of a published package. */
export interface Entry {
  /** As a user imports it: `@waybill/core/adapter`. */
  readonly name: string
  /** The source file behind it, from the root. */
  readonly file: string
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
}

/** Where each package keeps the source of an entry. */
const sourceOf = (floor: string, entry: string): string => {
  if (entry === '') return `packages/${floor}/src/index.ts`
  return floor === 'adapters'
    ? `packages/${floor}/src/${entry}/index.ts`
    : `packages/${floor}/src/${entry}.ts`
}

export const entryFiles: readonly Entry[] = floors.flatMap((floor) => {
  const manifest = JSON.parse(read(`packages/${floor}/package.json`)) as Manifest
  if (manifest.private === true) return []
  return Object.keys(manifest.exports ?? {})
    .filter((subpath) => subpath !== './package.json')
    .map((subpath) => ({
      name: `${manifest.name}${subpath.slice(1)}`,
      file: sourceOf(floor, subpath.slice(2)),
    }))
})

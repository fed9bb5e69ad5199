import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VerifiedFile } from './verified.js'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const ROOT = at('../../../../')
const RESULTS = at('../../results/')

/** The path that a file has from the root of the repository. */
export function sourceOf(testPath: string): string {
  return relative(ROOT, testPath)
}

/** Where the results of a record's file are committed: `…/axios.conformance.ts` has `axios.json`. */
export function resultsPath(source: string): string {
  return `${RESULTS}${basename(source, '.conformance.ts')}.json`
}

/** What is committed of a record's file. */
export function committedResults(source: string): VerifiedFile | undefined {
  const path = resultsPath(source)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as VerifiedFile) : undefined
}

/** Everything that is committed, in the order of the files' names. */
export function allResults(): readonly VerifiedFile[] {
  const names = readdirSync(RESULTS).sort()
  return names.map((name) => JSON.parse(readFileSync(RESULTS + name, 'utf8')) as VerifiedFile)
}

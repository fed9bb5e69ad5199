// node ncc.mjs <folder> <json of options> <entry>…
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import ncc from '@vercel/ncc'
import { told } from './told.mjs'

const [folder, options, ...entries] = process.argv.slice(2)

for (const entry of entries) {
  // What its command does with a file of this kind.
  const { code, assets } = await ncc(entry, { cache: false, quiet: true, esm: true, ...JSON.parse(options) })
  const name = basename(entry, '.mjs')
  const files = { [`${name}.mjs`]: code }
  for (const [path, { source }] of Object.entries(assets)) files[path] = source
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
// It tells of none.
told([])

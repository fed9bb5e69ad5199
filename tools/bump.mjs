/** `npm run bump`: what is written in `.changeset/` becomes versions and changelogs; core's own constant follows. */
import { readFileSync, writeFileSync } from 'node:fs'
import { root, run } from './run.mjs'

const { code, output } = await run(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'])
process.stdout.write(output)
process.exitCode = code
if (code === 0) {
  const { version } = JSON.parse(readFileSync(`${root}packages/core/package.json`, 'utf8'))
  const path = `${root}packages/core/src/version.ts`
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.replace(/(VERSION = ')[^']+/, `$1${version}`))
}

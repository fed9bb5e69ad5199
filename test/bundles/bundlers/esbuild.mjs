// node esbuild.mjs <folder> <json of options> <entry>…
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { told } from './told.mjs'

const [folder, options, ...entries] = process.argv.slice(2)
const { format, minify } = JSON.parse(options)

// What a user of esbuild needs where a CommonJS package, such as express, requires a module of Node.
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

const extension = format === 'esm' ? '.mjs' : '.cjs'
const { warnings } = await build({
  entryPoints: Object.fromEntries(
    entries.map((entry) => [join(basename(entry, '.mjs'), basename(entry, '.mjs')), entry]),
  ),
  outdir: folder,
  outExtension: { '.js': extension },
  bundle: true,
  platform: 'node',
  format,
  minify,
  ...(format === 'esm' ? { banner: { js: REQUIRE } } : {}),
  // The nearest tsconfig.json leads to the sources of the kit, and not to what is installed.
  tsconfigRaw: {},
  logLevel: 'silent',
})
told(warnings.map(({ text, location }) => `${location?.file}: ${text}`))

// node webpack.mjs <folder> <json of options> <entry>…
import { basename } from 'node:path'
import webpack from 'webpack'
import { told } from './told.mjs'

const [folder, , ...entries] = process.argv.slice(2)

const stats = await new Promise((resolve, reject) => {
  webpack(
    {
      mode: 'production',
      target: 'node',
      entry: Object.fromEntries(entries.map((entry) => [basename(entry, '.mjs'), entry])),
      output: { path: folder, filename: '[name]/[name].cjs', chunkFilename: '[id].cjs' },
      // Its terser takes as long as all else together; what is minified is tried with esbuild.
      optimization: { minimize: false },
    },
    (error, done) => (error ? reject(error) : resolve(done)),
  )
})
const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
told(warnings.map(({ moduleName, message }) => `${moduleName}: ${message}`))

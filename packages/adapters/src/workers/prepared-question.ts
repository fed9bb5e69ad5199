import { threadSecret } from '@waybill/core/adapter'
import { envelopeKey } from './envelope.js'
import { PREPARED } from './waybill-worker.js'

/**
 * The source of a question to a pool's thread: is the function that it would call for this file and name one of
 * `waybillWorker`, which opens the envelopes of this process? Undefined where the file could not be loaded. It is loaded as the pool loads it
 * for its first task, and stays loaded.
 *
 * It is asked as a task of the pool, by Node's own `vm` in the place of a file of ours: a file would be lost in a bundle.
 */
export function preparedQuestion(filename: string, name: string): string {
  const args = [filename, name, PREPARED, envelopeKey(threadSecret())]
  return `(${ASK})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`
}

/** How a pool is made to run it. */
export const QUESTION_OPTIONS = { filename: 'node:vm', name: 'runInThisContext' } as const

const ASK = `async (filename, name, prepared, key) => {
  const Module = process.getBuiltinModule('node:module')
  const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('node:url')
  const path = filename.startsWith('file:') ? fileURLToPath(filename) : filename
  // Code of vm has no import() of its own without a warning.
  const loader = new Module(path)
  loader._compile('exports.load = (url) => import(url)', path)
  try {
    let fn
    try {
      const loaded = Module.createRequire(path)(path)
      fn = name === 'default' && !loaded?.__esModule ? loaded : await loaded[name]
    } catch {}
    if (typeof fn !== 'function') fn = await (await loader.exports.load(pathToFileURL(path).href))[name]
    return fn?.[Symbol.for(prepared)] === key
  } catch {
    // The file could not be loaded, this time.
    return undefined
  }
}`

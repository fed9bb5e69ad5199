import { PREPARED } from './waybill-worker.js'

/**
 * The source of a question to a pool's thread: is the function that it would call for this file and name one of
 * `waybillWorker`? The file is loaded as the pool loads it for its first task, and stays loaded.
 *
 * It is asked as a task of the pool, by Node's own `vm` in the place of a file of ours: a file would be lost in a bundle.
 */
export function preparedQuestion(filename: string, name: string): string {
  return `(${ASK})(${JSON.stringify(filename)}, ${JSON.stringify(name)}, ${JSON.stringify(PREPARED)})`
}

/** How a pool is made to run it. */
export const QUESTION_OPTIONS = { filename: 'node:vm', name: 'runInThisContext' } as const

const ASK = `async (filename, name, prepared) => {
  const { createRequire } = process.getBuiltinModule('node:module')
  const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('node:url')
  const vm = process.getBuiltinModule('node:vm')
  const load = (url) =>
    vm.runInThisContext('(url) => import(url)', {
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })(url)
  const path = filename.startsWith('file:') ? fileURLToPath(filename) : filename
  try {
    let fn
    try {
      const loaded = createRequire(path)(path)
      fn = name === 'default' && !loaded?.__esModule ? loaded : await loaded[name]
    } catch {}
    if (typeof fn !== 'function') fn = await (await load(pathToFileURL(path).href))[name]
    return fn?.[Symbol.for(prepared)] === true
  } catch {
    return false
  }
}`

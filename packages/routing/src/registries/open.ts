import { isAbsolute, resolve } from 'node:path'
import { WaybillError } from '@waybill/core/adapter'
import type { Registry } from '../registry.js'
import { directoryRegistry } from './directory.js'
import { fileRegistry } from './file.js'

/** Registries opened by URL and environment; those that were closed open anew. */
const opened = new Map<string, Registry>()

/**
 * The registry that a URL names, opened for the environment; the same one for the same URL and environment, so that
 * `route()` and `announce()` share it.
 *
 * - `directory:` the folder of leases in its default place; `directory:/path` or `directory:path` in another
 * - `file:/path` or `file:path` a YAML or JSON file
 *
 * @throws WaybillError `ERR_WAYBILL_REGISTRY` for any other URL, naming the schemes; and the registry's own codes.
 */
export function openRegistry(url: string, environment: string): Registry {
  const key = `${environment} ${url}`
  const known = opened.get(key)
  if (known?.closed === false) return known
  const registry = registryAt(url)
  registry.open(environment)
  opened.set(key, registry)
  return registry
}

function registryAt(url: string): Registry {
  const colon = url.indexOf(':')
  const scheme = url.slice(0, Math.max(colon, 0))
  const path = pathOf(url.slice(colon + 1))
  if (scheme === 'directory') return directoryRegistry(path === '' ? {} : { path })
  if (scheme === 'file' && path !== '') return fileRegistry({ path })
  throw new WaybillError('ERR_WAYBILL_REGISTRY', {
    url,
    why: scheme === 'file' ? 'it names no file' : 'unknown scheme',
    schemes: ['directory:', 'directory:/path', 'file:/path'],
  })
}

/** `//` and an empty host may stand before an absolute path, as in other URLs of files. */
function pathOf(text: string): string {
  const path = text.startsWith('///') ? text.slice(2) : text
  return path === '' || isAbsolute(path) ? path : resolve(path)
}

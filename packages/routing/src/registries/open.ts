import { isAbsolute } from 'node:path'
import { WaybillError } from '@waybill/core/adapter'
import type { Registry } from '../registry.js'
import { directoryRegistry } from './directory.js'
import { fileRegistry } from './file.js'

/**
 * Symbol.for: `announce()` of one copy of the package and `route()` of another, ESM beside CommonJS, share what they
 * open.
 */
const OPENED = Symbol.for('@waybill/routing.registries')
const SCHEMES: ReadonlySet<string> = new Set(['directory', 'file'])

/**
 * The registry that a URL names, opened for the environment; the same one for the same URL and environment, so that
 * `route()` and `announce()` share it.
 *
 * - `directory:` the folder of leases in its default place; `directory:/path` in another
 * - `file:/path` a YAML or JSON file
 *
 * @throws WaybillError `ERR_WAYBILL_REGISTRY` for any other URL, naming the schemes, and for a path that is not absolute;
 * and the registry's own codes.
 */
export function openRegistry(url: string, environment: string): Registry {
  const key = `${environment} ${url}`
  const opened = openedRegistries()
  const known = opened.get(key)
  if (known?.closed === false) return known
  const registry = registryAt(url)
  registry.open(environment)
  opened.set(key, registry)
  return registry
}

/** Registries opened by URL and environment; those that were closed open anew. */
function openedRegistries(): Map<string, Registry> {
  const place = globalThis as { [OPENED]?: Map<string, Registry> }
  return (place[OPENED] ??= new Map())
}

function registryAt(url: string): Registry {
  const colon = url.indexOf(':')
  const scheme = url.slice(0, Math.max(colon, 0))
  const path = pathOf(url.slice(colon + 1))
  if (SCHEMES.has(scheme) && path !== '' && !isAbsolute(path)) throw notAbsolute(url)
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
  return text.startsWith('///') ? text.slice(2) : text
}

/** Two processes of one variable and two working folders would never meet, and nobody resolves `~` in a variable. */
function notAbsolute(url: string): WaybillError {
  return new WaybillError(
    'ERR_WAYBILL_REGISTRY',
    { url, why: 'its path is not absolute; ~ and relative paths are not resolved' },
    {
      remedy:
        'Say the whole path in WAYBILL_REGISTRY, or createKit({ registry }): directory:/path or file:/path.',
    },
  )
}

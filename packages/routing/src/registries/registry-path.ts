import { resolve } from 'node:path'
import { WaybillError } from '@waybill/core/adapter'

/**
 * The absolute form of a path that a program hands in; a relative one is seen from the working folder.
 *
 * @throws WaybillError `ERR_WAYBILL_REGISTRY` for `~`, which a shell resolves and nobody else: it would become a folder
 * of that name.
 */
export function registryPath(path: string): string {
  if (!path.startsWith('~')) return resolve(path)
  throw new WaybillError(
    'ERR_WAYBILL_REGISTRY',
    { path, why: '~ is not resolved here' },
    { remedy: 'Hand in an absolute path, such as join(homedir(), name).' },
  )
}

import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onFreePorts } from '../machine/on-free-ports.mjs'
import { habitatOf } from './habitat.mjs'
import { ReverseProxy } from './reverse-proxy.mjs'

/** Where the proxy answers by itself, and nobody behind it is asked. */
const PATH = '/.is-it-you'

/**
 * @param {import('./kind.mjs').Kind} kind
 * @param {import('./kind.mjs').Configuration} configuration
 * @returns {Promise<ReverseProxy>}
 * @throws with the line to type where none can run, and with the tail of its log where it does not start.
 */
export const startReverseProxy = async (kind, configuration) => {
  const inhabit = await habitatOf(kind)
  return onFreePorts(1, async (port = 0) => {
    const folder = await mkdtemp(join(tmpdir(), `waybill-${kind.name}-`))
    await chmod(folder, 0o755) // as root, nginx has workers of another user
    const config = join(folder, `${kind.name}.conf`)
    const place = { folder, port, path: PATH, token: randomUUID() }
    await writeFile(config, configuration(place))
    return new ReverseProxy(kind, inhabit(folder, config), place).start()
  })
}

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { INSTALLED, type Application } from './installed-application.js'
import { generateNestStarter } from './nest-starter.js'

const FASTIFY = join(INSTALLED, 'fastify-cli/cli.js')
const GATEWAY = join(INSTALLED, '@fastify/http-proxy/index.js')
const JSON_SERVER = join(INSTALLED, 'json-server/lib/cli/bin.js')

/** @param source a file of its folder, or a URL that it reads when it starts. */
export const jsonServer = (source: string): Application => ({
  prepare: (folder) =>
    writeFile(join(folder, 'db.json'), JSON.stringify({ posts: [{ id: 1, title: 'first' }], profile: {} })),
  command: (port) => [JSON_SERVER, source, '--quiet', '--host', '127.0.0.1', '--port', String(port)],
})

export const nestStarter: Application = {
  prepare: generateNestStarter,
  command: () => ['dist/main.js'],
  env: (port) => ({ PORT: String(port) }),
}

/** It kills itself where closing takes longer than so many milliseconds; by default 500. */
const UNHURRIED = ['--close-grace-delay', '10000']

export const fastifyApplication: Application = {
  async prepare(folder) {
    await promisify(execFile)(process.execPath, [FASTIFY, 'generate', '.'], { cwd: folder })
  },
  command: () => [FASTIFY, 'start', ...UNHURRIED, '-l', 'info', 'app.js'],
  env: (port) => ({ PORT: String(port) }),
}

/**
 * A gateway without code of its own: the plugin from npm, started by fastify-cli with its options on the command line. It
 * hands on every header that it is given.
 * @param upstream a URL.
 */
export const fastifyGateway = (upstream: string, client: 'undici' | 'node:http'): Application => ({
  prepare: async () => {},
  command: () => [
    ...[FASTIFY, 'start', ...UNHURRIED, '-l', 'fatal', GATEWAY, '--', '--upstream', upstream],
    ...(client === 'node:http' ? ['--http'] : []),
  ],
  env: (port) => ({ PORT: String(port) }),
})

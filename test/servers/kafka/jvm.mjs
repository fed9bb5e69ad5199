import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture, lastLines } from '../machine/capture.mjs'
import { madeOnce } from './cache.mjs'
import { propertiesFile, serverProperties } from './server-properties.mjs'

/** A broker of tests lives for seconds: the second compiler and a parallel collector would not earn what they cost. */
const SHORT_LIFE = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const LOGGING = `-Dlog4j2.configurationFile=${fileURLToPath(new URL('log4j2.properties', import.meta.url))}`

/** Kills the broker first, for it may still write, then removes what it has written. */
const CLEAR = `
[ -n "$pid" ] && kill -9 "$pid"
for _ in 1 2 3 4 5 6 7 8 9; do rm -rf "$1" && break; sleep 0.2; done
`

/** @param {import('./distribution.mjs').Distribution} kafka */
const base = ({ java, classPath }) => [java.program, ...SHORT_LIFE, LOGGING, '-cp', classPath]

/** As Kafka writes ids: 16 bytes in base64url. A tool would take a leading dash for an option. */
const clusterId = () => `k${randomBytes(16).toString('base64url').slice(1)}`

/**
 * A formatted directory of data, made once and copied for each broker: formatting starts a JVM.
 * @param {import('./distribution.mjs').Distribution} kafka
 */
const formatted = (kafka) =>
  madeOnce(join(kafka.folder, 'formatted'), async (directory) => {
    const config = `${directory}.properties`
    const settings = { port: 1, controllerPort: 2, properties: {} }
    await writeFile(config, propertiesFile(serverProperties(settings, { address: '127.0.0.1', directory })))
    const [program = '', ...args] = base(kafka)
    const tool = ['kafka.tools.StorageTool', 'format', '--cluster-id', clusterId(), '--config', config]
    const { code, output } = await capture(program, [...args, ...tool])
    if (code !== 0) throw new Error(`Kafka could not format a directory:\n${lastLines(output)}`)
  })

/**
 * A broker in a JVM of this machine.
 * @param {import('./distribution.mjs').Distribution} kafka
 * @param {import('./server-properties.mjs').Settings} settings
 * @param {readonly string[]} [flags] more of the JVM's
 * @returns {Promise<import('./broker.mjs').Habitat>}
 */
export const inJvm = async (kafka, settings, flags = []) => {
  const template = await formatted(kafka)
  const subject = await mkdtemp(join(tmpdir(), 'waybill-kafka-'))
  const directory = join(subject, 'data')
  const config = join(subject, 'server.properties')
  await cp(template, directory, { recursive: true })
  await writeFile(config, propertiesFile(serverProperties(settings, { address: '127.0.0.1', directory })))
  const [program = '', ...args] = base(kafka)
  return {
    port: settings.port,
    command: [program, ...flags, ...args, 'kafka.Kafka', config],
    subject,
    clear: CLEAR,
    remove: () => rm(subject, { recursive: true, force: true }),
    kill: (process) => process.kill(),
  }
}

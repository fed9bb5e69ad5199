import { randomUUID } from 'node:crypto'
import { capture, lastLines } from '../machine/capture.mjs'
import { serverProperties } from './server-properties.mjs'
import { unavailable } from './unavailable.mjs'

const IMAGE = 'apache/kafka:4.3.1'
const LOCATION = { address: '0.0.0.0', directory: '/var/lib/kafka/data' }

/** The image takes each property from a variable: `log.dirs` from `KAFKA_LOG_DIRS`. */
const variable = (/** @type {string} */ key) => `KAFKA_${key.toUpperCase().replaceAll('.', '_')}`

/**
 * A broker in a container. The command stays attached to it: it hands on SIGTERM and ends with it.
 * @param {import('./server-properties.mjs').Settings} settings
 * @returns {Promise<import('./broker.mjs').Habitat>}
 * @throws with the last lines of what Docker said.
 */
export const inContainer = async (settings) => {
  const { port } = settings
  const subject = `waybill-kafka-${randomUUID()}`
  const environment = Object.entries(serverProperties(settings, LOCATION)).flatMap(([key, value]) => [
    '--env',
    `${variable(key)}=${value}`,
  ])
  const flags = ['--name', subject, '--publish', `127.0.0.1:${port}:${port}`, ...environment]
  const { code, output } = await capture('docker', ['create', ...flags, IMAGE])
  if (code !== 0) throw unavailable(`Docker could not create a container:\n${lastLines(output)}`)
  return {
    port,
    command: ['docker', 'start', '--attach', subject],
    subject,
    clear: 'docker rm --force --volumes "$1"',
    remove: async () => void (await capture('docker', ['rm', '--force', '--volumes', subject])),
    kill: () => void capture('docker', ['kill', subject]),
  }
}

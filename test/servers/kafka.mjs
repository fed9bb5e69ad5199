import { Broker } from './kafka/broker.mjs'
import { withClassArchive } from './kafka/class-archive.mjs'
import { distribution } from './kafka/distribution.mjs'
import { inContainer } from './kafka/docker.mjs'
import { inJvm } from './kafka/jvm.mjs'
import { dockerAnswers } from './machine/docker.mjs'
import { onFreePorts } from './machine/on-free-ports.mjs'

/**
 * @typedef {object} Kafka
 * @property {readonly string[]} brokers addresses, `host:port`
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} Options
 * @property {Readonly<Record<string, string | number>>} [properties] Kafka's own, above those for tests. Default: none
 */

/**
 * Starts a broker with a way to make its habitat.
 * @param {Options} options
 * @param {(settings: import('./kafka/server-properties.mjs').Settings) => Promise<import('./kafka/broker.mjs').Habitat>} inhabit
 */
const start = ({ properties = {} }, inhabit) =>
  onFreePorts(2, async (port = 0, controllerPort = 0) =>
    new Broker(await inhabit({ port, controllerPort, properties })).start(),
  )

/**
 * Starts a broker of one's own in a JVM of this machine.
 * @param {Options} [options]
 * @throws with the line to type where none can run, and with the tail of the log where it does not start.
 */
export const startJvmBroker = async (options = {}) => {
  const kafka = await distribution()
  const archive = await withClassArchive(kafka)
  return start(options, (settings) => inJvm(kafka, settings, archive))
}

/**
 * Starts a broker of one's own, which may crash and be restarted: in Docker where an engine answers, else in a JVM.
 * @param {Options} [options]
 * @throws with the line to type where none can run, and with the tail of the log where it does not start.
 */
export const startBroker = async (options = {}) =>
  (await dockerAnswers()) ? start(options, inContainer) : startJvmBroker(options)

/**
 * A Kafka to share: the one that `KAFKA_BROKERS` names (addresses with commas between), else a broker of one's own.
 * @returns {Promise<Kafka>}
 * @throws as `startBroker` does.
 */
export const startKafka = async () => {
  const given = process.env.KAFKA_BROKERS
  return given
    ? { brokers: given.split(',').map((address) => address.trim()), stop: async () => {} }
    : startBroker()
}

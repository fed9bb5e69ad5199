import { Broker } from './kafka/broker.mjs'
import { withClassArchive } from './kafka/class-archive.mjs'
import { distribution } from './kafka/distribution.mjs'
import { dockerAnswers, inContainer } from './kafka/docker.mjs'
import { freePorts } from './kafka/free-ports.mjs'
import { inJvm } from './kafka/jvm.mjs'

/**
 * @typedef {object} Kafka
 * @property {readonly string[]} brokers addresses, `host:port`
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} Options
 * @property {Readonly<Record<string, string | number>>} [properties] Kafka's own, above those for tests. Default: none
 */

/** How often other ports are tried when somebody took one before the broker did. */
const ATTEMPTS = 3
const PORT_TAKEN = /Address already in use|port is already allocated/

/**
 * Starts a broker with a way to make its habitat, on ports that were free a moment ago.
 * @param {Options} options
 * @param {(settings: import('./kafka/server-properties.mjs').Settings) => Promise<import('./kafka/broker.mjs').Habitat>} inhabit
 */
const start = async ({ properties = {} }, inhabit) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await Broker.start(await inhabit({ ...(await freePorts()), properties }))
    } catch (error) {
      if (attempt === ATTEMPTS || !PORT_TAKEN.test(String(error))) throw error
    }
  }
}

/**
 * Starts a broker of one's own in a JVM of this machine.
 * @param {Options} [options]
 * @throws with the line to type where none can run, and with the tail of the log where it does not start.
 */
export const startJvmBroker = async (options = {}) => {
  const kafka = await distribution()
  const archive = await withClassArchive(kafka)
  return start(options, (settings) => inJvm(kafka, settings, [archive]))
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
  return given ? { brokers: given.split(','), stop: async () => {} } : startBroker()
}

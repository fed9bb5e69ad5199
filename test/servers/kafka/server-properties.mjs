/**
 * @typedef {object} Settings what differs between brokers
 * @property {number} port
 * @property {number} controllerPort
 * @property {Readonly<Record<string, string | number>>} properties Kafka's own, above those below
 *
 * @typedef {object} Location what differs between the ways to run one
 * @property {string} address to listen on
 * @property {string} directory of its data
 */

/**
 * The configuration of one small node that is broker and controller.
 * @param {Settings} settings
 * @param {Location} location
 * @returns {Readonly<Record<string, string | number>>}
 */
export const serverProperties = ({ port, controllerPort, properties }, { address, directory }) => ({
  'process.roles': 'broker,controller',
  'node.id': 1,
  'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
  listeners: `PLAINTEXT://${address}:${port},CONTROLLER://${address}:${controllerPort}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
  'log.dirs': directory,

  // There is no second node for a replica.
  'offsets.topic.replication.factor': 1,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,

  // The first group and the first transaction need not wait for fifty partitions.
  'offsets.topic.num.partitions': 1,
  'transaction.state.log.num.partitions': 1,
  'share.coordinator.state.topic.num.partitions': 1,

  // Groups of tests come and go: nobody waits for more members, and a dead one is missed soon.
  'group.initial.rebalance.delay.ms': 0,
  'group.min.session.timeout.ms': 500,
  'group.consumer.min.heartbeat.interval.ms': 200,
  'group.consumer.heartbeat.interval.ms': 300,
  'group.consumer.min.session.timeout.ms': 1000,
  'group.consumer.session.timeout.ms': 2000,

  // A misspelt topic is an error.
  'auto.create.topics.enable': 'false',

  // After a crash the controller refuses the broker until the session of the one that died is over.
  'broker.session.timeout.ms': 1500,
  'broker.heartbeat.interval.ms': 300,

  // A small footprint: of the defaults, the buffer of the log cleaner alone takes 128 MB.
  'num.network.threads': 1,
  'num.io.threads': 2,
  'background.threads': 2,
  'log.cleaner.threads': 1,
  'log.cleaner.dedupe.buffer.size': 2 ** 21,
  'log.segment.bytes': 2 ** 24,

  ...properties,
})

/** @param {Readonly<Record<string, string | number>>} properties */
export const propertiesFile = (properties) =>
  Object.entries(properties)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')

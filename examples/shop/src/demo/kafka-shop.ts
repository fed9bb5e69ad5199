import { randomBytes } from 'node:crypto'
import { Kafka, logLevel, type Admin } from 'kafkajs'
import { Fleet } from './fleet.js'
import type { RunningService, ServiceStart } from './process-group.js'
import { aliceInventory, shared } from './shop.js'

/** The shop with a Kafka: a shared zone, and the `inventory` of two developers. */
export interface KafkaShop {
  readonly web: RunningService
  /** `notification` of the shared zone. */
  readonly notification: RunningService
  start(service: ServiceStart): Promise<RunningService>
  /** Ends every process, and removes registry and topic. */
  close(): Promise<void>
}

const ANNOUNCED = { order: 1, inventory: 3, payment: 1 } as const
const PARTITIONS = 4

/** @param brokers of a running Kafka, which may be somebody else's. */
export async function openKafkaShop(brokers: readonly string[]): Promise<KafkaShop> {
  // A name of its own: on a broker that lives longer than the demo there may be another topic of orders.
  const topic = `orders-${randomBytes(3).toString('hex')}`
  const admin = await createTopic(brokers, topic)
  const removeTopic = async (): Promise<void> => {
    await admin.deleteTopics({ topics: [topic] })
    await admin.disconnect()
  }
  const variables = { KAFKA_BROKERS: brokers.join(','), ORDERS_TOPIC: topic }
  try {
    return await Fleet.open(variables, (fleet) => startAll(fleet, removeTopic))
  } catch (error) {
    await removeTopic()
    throw error
  }
}

async function startAll(fleet: Fleet, removeTopic: () => Promise<void>): Promise<KafkaShop> {
  const shipping = await fleet.start({ service: 'shipping', owner: 'ci-shipping', env: {} })
  const order = { ...shared('az-ci'), SHIPPING_URL: shipping.url }
  const [web, notification] = await Promise.all([
    fleet.start({ service: 'web', owner: 'ci-web', env: { PORT: '0', WAYBILL_ZONE: 'az-ci' } }),
    fleet.start({ service: 'notification', owner: 'ci-notification', env: shared('az-ci') }),
    fleet.start({ service: 'order', owner: 'ci-order', env: order }),
    fleet.start({ service: 'inventory', owner: 'ci-inventory', env: shared('az-ci') }),
    fleet.start(aliceInventory('alice@laptop')),
    fleet.start({ service: 'inventory', owner: 'bob@laptop', env: { WAYBILL_CLK: 'bob' } }),
    fleet.start({ service: 'payment', owner: 'ci-payment', env: shared('az-ci') }),
  ])
  await fleet.registered(ANNOUNCED)
  return {
    web,
    notification,
    start: (service) => fleet.start(service),
    async close() {
      await fleet.close()
      await removeTopic()
    },
  }
}

async function createTopic(brokers: readonly string[], topic: string): Promise<Admin> {
  const kafka = new Kafka({
    clientId: 'demo',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 3 },
  })
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS }] })
  return admin
}

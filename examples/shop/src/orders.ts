import { Kafka, logLevel } from 'kafkajs'

/** What `order` tells the rest of the shop about an order that it took: the value of a message, as JSON. */
export interface PlacedOrder {
  readonly item: string
}

/** The topic of placed orders. */
export const ORDERS = process.env['ORDERS_TOPIC'] ?? 'orders'

/**
 * The shop's Kafka, at the addresses of KAFKA_BROKERS with commas between.
 * @returns undefined where that is not set: the shop then works on Node and npm alone, and nobody is told of an order.
 */
export function openKafka(clientId: string): Kafka | undefined {
  const brokers = process.env['KAFKA_BROKERS'] ?? ''
  return brokers === ''
    ? undefined
    : new Kafka({ clientId, brokers: brokers.split(','), logLevel: logLevel.ERROR })
}

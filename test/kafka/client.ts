import { Kafka, logLevel } from 'kafkajs'
import { inject } from 'vitest'

/** A silent client. Default brokers: those of the Kafka that all tests share. */
export const client = (brokers: readonly string[] = inject('kafkaBrokers')): Kafka =>
  new Kafka({
    clientId: 'waybill-tests',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    // A broker of a test is back within seconds.
    retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 100 },
  })

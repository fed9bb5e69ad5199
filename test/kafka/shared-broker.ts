import type { TestProject } from 'vitest/node'
import { startKafka } from '@waybill/servers/kafka'

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of the Kafka that all tests of test/kafka share. None of them may crash it. */
    readonly kafkaBrokers: readonly string[]
  }
}

/** Starts one Kafka for the whole project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kafka = await startKafka()
  project.provide('kafkaBrokers', kafka.brokers)
  return () => kafka.stop()
}

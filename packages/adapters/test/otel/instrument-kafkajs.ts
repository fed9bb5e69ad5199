import { KafkaJsInstrumentation } from '@opentelemetry/instrumentation-kafkajs'
import { Instrumented } from './instrumented.js'

const kafkajs = new Instrumented(
  [[new KafkaJsInstrumentation()], [new KafkaJsInstrumentation()]],
  ['kafkajs'],
)

/**
 * Instruments producers and consumers of kafkajs that are made from now on.
 * @param sdks how many SDKs bring their instrumentation along. Default 1.
 * @returns an undo; what was made stays instrumented.
 */
export function instrumentKafkajs(sdks = 1): () => void {
  return kafkajs.enable(sdks)
}

/** `npm run demo:kafka`: one tag on its way over a real Kafka and through a pool of worker threads. Ends with 1 if any went wrong. */
import { startKafka } from '@waybill/servers/kafka'
import { tellKafkaStory } from './demo/kafka-story.js'
import { paint } from './demo/paint.js'
import { tell } from './demo/tell.js'

// kafkajs 2.2 sets a timer for the past, harmless, and newer Nodes warn of it in the middle of the story.
process.removeAllListeners('warning').on('warning', (warning) => {
  if (warning.name !== 'TimeoutNegativeWarning') console.warn(warning)
})

async function run(): Promise<boolean> {
  console.log(paint('dim', 'Starting a Kafka and eight processes on this machine …'))
  const kafka = await startKafka()
  try {
    // Not part of the story: on the other stream, so that what is kept of the story is the same each time.
    const progress = (line: string): void => console.error(paint('dim', line))
    return await tell(tellKafkaStory(kafka.brokers, progress))
  } finally {
    await kafka.stop()
  }
}

try {
  process.exitCode = (await run()) ? 0 : 1
} catch (error) {
  console.error(paint('red', error instanceof Error ? error.message : String(error)))
  process.exitCode = 1
}

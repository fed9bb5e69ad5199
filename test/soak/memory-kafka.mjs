/**
 * As much of a `Kafka` as the soaked application uses, without a broker: what is delivered to its consumers comes in
 * batches of kafkajs's shape, and what its producers send is looked at and let go.
 *
 * @typedef {import('kafkajs').ConsumerRunConfig} RunConfig
 */
export class MemoryKafka {
  /** @type {Map<string, RunConfig>} by group */
  #running = new Map()
  #look

  /** @param {(message: import('kafkajs').Message) => void} look at each message that is sent */
  constructor(look) {
    this.#look = look
  }

  producer() {
    return {
      /** @param {import('kafkajs').ProducerRecord} record */
      send: async ({ messages }) => messages.forEach(this.#look),
    }
  }

  /** @param {{ groupId: string }} config */
  consumer({ groupId }) {
    return {
      /** @param {RunConfig} [config] */
      run: async (config = {}) => {
        this.#running.set(groupId, config)
      },
    }
  }

  /**
   * Hands a batch to a group. A message on which the handler fails is passed over, and what follows it delivered again, as
   * by kafkajs after a commit.
   * @param {string} group
   * @param {Pick<import('kafkajs').Batch, 'topic' | 'messages'>} batch
   * @param {(error: unknown) => void} failed throws where the error was not to be expected
   */
  async deliver(group, { topic, messages }, failed) {
    const { eachMessage, eachBatch } = this.#running.get(group) ?? {}
    for (let rest = messages; rest.length > 0;) {
      let handled = 0
      const resolveOffset = () => {
        handled++
      }
      try {
        if (eachBatch !== undefined) await eachBatch(payloadOf(topic, rest, resolveOffset))
        for (const message of eachMessage === undefined ? [] : rest) {
          await eachMessage?.({ topic, partition: 0, message, heartbeat, pause: () => () => {} })
          handled++
        }
        return
      } catch (error) {
        failed(error)
        rest = rest.slice(handled + 1)
      }
    }
  }
}

const heartbeat = async () => {}

/**
 * @param {string} topic
 * @param {import('kafkajs').KafkaMessage[]} messages
 * @param {() => void} resolveOffset
 * @returns {import('kafkajs').EachBatchPayload}
 */
const payloadOf = (topic, messages, resolveOffset) => ({
  batch: /** @type {import('kafkajs').Batch} */ ({ topic, partition: 0, messages }),
  resolveOffset,
  heartbeat,
  pause: () => () => {},
  commitOffsetsIfNecessary: async () => {},
  uncommittedOffsets: () => ({ topics: [] }),
  isRunning: () => true,
  isStale: () => false,
})

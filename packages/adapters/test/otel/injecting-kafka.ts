/** Headers of a message, as they are sent. */
export type MessageHeaders = Record<string, unknown>

/** One call of `send`, as far as it is looked at. */
interface Sending {
  readonly topic?: string
  readonly messages: readonly { readonly value: string; readonly headers?: MessageHeaders }[]
}

/**
 * A `Kafka` without a broker, whose producers inject into each message as the instrumentation of kafkajs does.
 * @param sent gets the headers of each message that is sent.
 */
export const injectingKafka = (inject: (headers: MessageHeaders) => void, sent: MessageHeaders[]) => ({
  producer: () => ({
    send({ messages }: Sending): Promise<void> {
      for (const { headers = {} } of messages) {
        inject(headers)
        sent.push(headers)
      }
      return Promise.resolve()
    },
    sendBatch: () => Promise.resolve(),
    transaction: () => Promise.reject(new Error('none')),
  }),
  consumer: () => ({ run: () => Promise.resolve(), on: () => () => {} }),
})

import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Kafka, logLevel, Partitioners } from 'kafkajs'
import { expect, onTestFinished, test } from 'vitest'
import { createKit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { kafkaWaybill } from './index.js'

/** What the stub knows of the protocol: the key of an API, and how it answers version 0 of it (of Produce: 2 and 3). */
const PRODUCE = 0
const METADATA = 3
const API_VERSIONS = 18

const int = (bytes: 1 | 2 | 4 | 8, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, Math.max(0, bytes - 6), Math.min(bytes, 6))
  return buffer
}
const text = (value: string): Buffer => Buffer.concat([int(2, value.length), Buffer.from(value)])
const list = (...items: Buffer[]): Buffer => Buffer.concat([int(4, items.length), ...items])

/**
 * A broker of one topic with one partition that offers Produce up to a version. No Apache Kafka from 4 on offers less than 3,
 * the first version with record headers.
 */
async function brokerWith(produceVersion: number): Promise<{ address: string; produced: Buffer[] }> {
  const produced: Buffer[] = []
  const answers: Readonly<Record<number, (body: Buffer) => Buffer>> = {
    [API_VERSIONS]: () =>
      Buffer.concat([
        int(2, 0),
        list(
          ...[
            [PRODUCE, produceVersion],
            [METADATA, 0],
            [API_VERSIONS, 0],
          ].map((pair) => Buffer.concat([int(2, pair[0]!), int(2, 0), int(2, pair[1]!)])),
        ),
        int(4, 0),
      ]),
    [METADATA]: () =>
      Buffer.concat([
        list(Buffer.concat([int(4, 1), text('127.0.0.1'), int(4, port)])),
        list(
          Buffer.concat([
            int(2, 0),
            text('orders'),
            list(Buffer.concat([int(2, 0), int(4, 0), int(4, 1), list(int(4, 1)), list(int(4, 1))])),
          ]),
        ),
      ]),
    [PRODUCE]: (body) => {
      produced.push(body)
      const partition = Buffer.concat([int(4, 0), int(2, 0), int(8, 0), int(8, -1)])
      return Buffer.concat([list(Buffer.concat([text('orders'), list(partition)])), int(4, 0)])
    },
  }
  const serve = (socket: Socket): void => {
    let waiting = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      waiting = Buffer.concat([waiting, data])
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readInt32BE(0)) {
        const request = waiting.subarray(4, 4 + waiting.readInt32BE(0))
        waiting = waiting.subarray(4 + request.length)
        const answer = Buffer.concat([request.subarray(4, 8), answers[request.readInt16BE(0)]!(request)])
        socket.write(Buffer.concat([int(4, answer.length), answer]))
      }
    })
  }
  const server = createServer(serve).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `127.0.0.1:${port}`, produced }
}

test.each([
  [2, false],
  [3, true],
])(
  'context DataDog/dd-trace-js PR#5704, PR#8390 a broker that offers Produce %i gets the message, with a header: %s',
  async (version, withHeader) => {
    const { address, produced } = await brokerWith(version)
    const kit = createKit({ service: 'order', environment: 'test' })
    const kafka = kafkaWaybill(kit, new Kafka({ brokers: [address], logLevel: logLevel.NOTHING }))
    const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner })
    onTestFinished(() => producer.disconnect())
    await producer.connect()
    const metadata = await withWaybill({ clk: 'me' }, () =>
      producer.send({ topic: 'orders', messages: [{ value: 'the value' }] }),
    )
    expect(metadata).toMatchObject([{ topicName: 'orders', errorCode: 0 }])
    expect(produced).toHaveLength(1)
    expect(produced[0]!.includes('the value')).toBe(true)
    expect(produced[0]!.includes('baggage')).toBe(withHeader)
  },
)

import type { Kit, KitOptions } from '@waybill/core'
import { Loans } from '../loans.js'
import type { ProducingHalf } from '../message-record.js'
import type { PlainMessage, StoredMessage } from '../message/plain-broker.js'
import { lawKit } from './law-kit.js'

/** What a law for producers sets up. */
export interface ProducingSetting {
  readonly kit?: KitOptions
  /** True: the bare host, without the adapter. */
  readonly bare?: boolean
  readonly times?: 1 | 2
  /** True: the topic is not among those that the kit believes. */
  readonly strange?: boolean
}

/** A producer behind the adapter, and a topic. */
export interface ProducingStage {
  readonly kit: Kit
  readonly loans: Loans
  readonly topic: string
  /** Sends all messages by one call of the client. */
  readonly send: (messages: readonly PlainMessage[], frozen?: boolean) => Promise<unknown>
  /** The first messages of the topic, as a client without the kit reads them. */
  readonly read: (count: number) => Promise<readonly StoredMessage[]>
  readonly undo: () => void
}

/** Opens a stage, lets a law act on it, and closes it in any case. */
export async function withProducing(
  half: ProducingHalf,
  setting: ProducingSetting,
  act: (stage: ProducingStage) => Promise<void>,
): Promise<void> {
  const broker = await half.broker()
  try {
    const topic = await broker.createTopic()
    const topics = setting.strange === true ? ['another'] : [topic]
    const kit = lawKit({ ...setting.kit, trust: { topics, ...setting.kit?.trust } })
    const loans = new Loans()
    const hop = await half.open({
      kit: setting.bare === true ? undefined : kit,
      times: setting.times ?? 1,
      lend: loans.lend,
    })
    try {
      await act({
        kit,
        loans,
        topic,
        send: (messages, frozen) => hop.send(topic, messages, frozen),
        read: (count) => broker.read(topic, count),
        undo() {
          if (hop.undo === undefined) throw new Error('an installer gives back an undo')
          hop.undo()
        },
      })
    } finally {
      await hop.close()
    }
  } finally {
    await broker.close()
  }
}

import assert from 'node:assert/strict'
import type { Kit, KitOptions } from '@waybill/core'
import { Loans } from '../loans.js'
import type { ConsumingHalf } from '../message-record.js'
import type { PlainBroker, PlainMessage } from '../message/plain-broker.js'
import { storedMessage, type ClientMessage } from '../message/stored-message.js'
import { lawKit } from './law-kit.js'

/** What a law for consumers sets up. */
export interface ConsumingSetting {
  readonly kit?: KitOptions
  /** True: the bare host, without the adapter. */
  readonly bare?: boolean
  readonly times?: 1 | 2
  /** True: the topic is not among those that the kit believes. */
  readonly strange?: boolean
  /** What lies in the topic when the consumer comes. Default: nothing. */
  readonly waiting?: readonly PlainMessage[]
  /**
   * The application's handler.
   * @param value of the message, by which a law knows it; `tombstone` where it is null.
   */
  readonly handler: (value: string, message: ClientMessage, kit: Kit) => Promise<void> | void
  readonly aside?: (kit: Kit) => void
}

/** A consumer behind the adapter. */
export interface ConsumingStage {
  readonly kit: Kit
  readonly loans: Loans
  /** Writes messages and waits until as many were handled, without an error, as lie in the topic. */
  readonly deliver: (messages: readonly PlainMessage[]) => Promise<void>
  readonly undo: () => void
}

const HANDLED_WITHIN_MS = 15_000

/** Opens a stage, lets a law act on it, and closes it in any case. */
export async function withConsuming(
  half: ConsumingHalf,
  setting: ConsumingSetting,
  act: (stage: ConsumingStage) => Promise<void>,
): Promise<void> {
  const broker = await half.broker()
  try {
    await consume(half, setting, broker, act)
  } finally {
    await broker.close()
  }
}

async function consume(
  half: ConsumingHalf,
  { kit: options = {}, bare, times = 1, strange, waiting = [], handler, aside }: ConsumingSetting,
  broker: PlainBroker,
  act: (stage: ConsumingStage) => Promise<void>,
): Promise<void> {
  const topic = await broker.createTopic()
  const topics = strange === true ? ['another'] : [topic]
  // Outside production a process with neither mark nor clk joins no group.
  const baseline = options.clks === undefined
  const kit = lawKit({ baseline, ...options, trust: { topics, ...options.trust } })
  const loans = new Loans()
  const handled = new Countdown()
  if (waiting.length > 0) await broker.write(topic, waiting)
  const hop = await half.open({
    kit: bare === true ? undefined : kit,
    times,
    lend: loans.lend,
    topic,
    async handler(given) {
      const message = given as ClientMessage
      await handler(storedMessage(message).value ?? 'tombstone', message, kit)
      handled.count()
    },
    aside: () => aside?.(kit),
  })
  try {
    let expected = waiting.length
    await act({
      kit,
      loans,
      async deliver(messages) {
        expected += messages.length
        if (messages.length > 0) await broker.write(topic, messages)
        await handled.until(expected)
      },
      undo() {
        if (hop.undo === undefined) throw new Error('an installer gives back an undo')
        hop.undo()
      },
    })
  } finally {
    await hop.close()
  }
}

/** Counts what is done, and tells who waits for a number of it. */
class Countdown {
  #done = 0
  #expected = Infinity
  #reached: () => void = () => undefined

  count(): void {
    if (++this.#done >= this.#expected) this.#reached()
  }

  async until(expected: number): Promise<void> {
    if (this.#done >= expected) return
    this.#expected = expected
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#reached = resolve
      timer = setTimeout(resolve, HANDLED_WITHIN_MS)
    })
    clearTimeout(timer)
    assert.ok(this.#done >= expected, `${String(this.#done)} of ${String(expected)} messages are handled`)
  }
}

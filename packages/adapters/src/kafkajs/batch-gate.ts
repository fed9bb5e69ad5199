import type { Reply } from '@waybill/core/adapter'

/** What the calls of all topics wait for together. */
interface Round {
  readonly reply: Promise<Reply<unknown>>
  settle(reply: Promise<Reply<unknown>>): void
}

/**
 * Where the calls of one batch, one for each topic, wait for each other: the batch is sent once all of them have passed
 * their interceptors, and what comes of it is the reply of each. An interceptor that tries its topic again waits for the
 * others to do the same; where one does not, the batch is over, and what ended that call is the answer to all.
 */
export class BatchGate<Pass> {
  readonly #count: number
  readonly #send: (passes: ReadonlyMap<string, Pass>) => Promise<Reply<unknown>>
  #passes = new Map<string, Pass>()
  #round: Round | undefined
  #ended: Promise<Reply<unknown>> | undefined

  /** @param count of topics. @param send sends the batch; is handed what each topic has passed with. */
  constructor(count: number, send: (passes: ReadonlyMap<string, Pass>) => Promise<Reply<unknown>>) {
    this.#count = count
    this.#send = send
  }

  /** Called with each attempt of a topic's call. */
  pass(topic: string, pass: Pass): Promise<Reply<unknown>> {
    if (this.#ended !== undefined) return this.#ended
    const round = (this.#round ??= newRound())
    this.#passes.set(topic, pass)
    if (this.#passes.size === this.#count) {
      const passes = this.#passes
      this.#passes = new Map()
      this.#round = undefined
      // What throws at once is the answer to all, too.
      round.settle(new Promise((resolve) => resolve(this.#send(passes))))
    }
    return round.reply
  }

  /** To be told of each call once: when it has ended, the others have nobody to wait for. */
  watch(call: Promise<Reply<unknown>>): void {
    const end = (): void => {
      this.#ended ??= call
      this.#round?.settle(this.#ended)
    }
    call.then(end, end)
  }
}

function newRound(): Round {
  let settle!: Round['settle']
  const reply = new Promise<Reply<unknown>>((resolve) => (settle = resolve))
  return { reply, settle }
}

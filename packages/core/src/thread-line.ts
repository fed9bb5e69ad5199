import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import type { AnswerPieces, ParentLine } from './call.js'
import { WaybillError } from './errors.js'
import { runInScope } from './scope.js'

/** How long a worker thread waits for each piece of an answer, in milliseconds. A busy parent answers when it is done. */
const ANSWER_MS = 10_000

/** Where a thread can be asked, and for which share. Plain data: it is cloned into every worker thread. */
export interface LineAddress {
  readonly channel: string
  /** Of one interceptor of one kit. */
  readonly share: string
  /** One Int32, which grows with each change. Shared memory: a worker that waits in `Atomics.wait` reads no messages. */
  readonly version: SharedArrayBuffer
}

interface Question {
  readonly id: number
  /** The channel on which the answer is awaited. */
  readonly from: string
  readonly share: string
  readonly question: unknown
}

/** One of several pieces, the end, or why there is none. */
type Answer =
  | { readonly id: number; readonly piece: unknown }
  | { readonly id: number; readonly end: true }
  | { readonly id: number; readonly why: string }

/**
 * The parent's end. It keeps nothing about a worker: whoever asks is answered on a channel that is closed again, so
 * that threads may come and go. It does not keep the process alive.
 */
export class ServedLine {
  readonly changed: () => void
  readonly #channel: string
  readonly #version: SharedArrayBuffer
  readonly #shares = new Map<string, (question: unknown) => AnswerPieces>()

  constructor() {
    const version = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    // Names of channels hold for all threads of a process.
    const channel = `@waybill/line@1:${randomUUID()}`
    this.#channel = channel
    this.#version = version.buffer
    this.changed = () => void Atomics.add(version, 0, 1)
    // Its events would run in the scope in which the first kit was made.
    runInScope(undefined, () => {
      const questions = new BroadcastChannel(channel)
      questions.onmessage = ({ data }) => void this.#answer(data as Question)
      questions.unref()
    })
  }

  /**
   * Threads go on asking the kit with which they were made, so each share stays what it is.
   * @param name of the share, for errors.
   */
  share(name: string, answer: (question: unknown) => AnswerPieces): LineAddress {
    const share = `${name}#${String(this.#shares.size + 1)}`
    this.#shares.set(share, answer)
    return { channel: this.#channel, share, version: this.#version }
  }

  async #answer({ id, from, share, question }: Question): Promise<void> {
    const reply = new BroadcastChannel(from)
    const send = (answer: Answer): void => {
      reply.postMessage(answer)
    }
    try {
      const answer = this.#shares.get(share)
      if (answer === undefined) send({ id, why: `no interceptor of the parent thread shares ${share}` })
      else {
        for await (const piece of answer(question)) send({ id, piece })
        send({ id, end: true })
      }
    } catch (error) {
      send({ id, why: error instanceof Error ? error.message : String(error) })
    } finally {
      reply.close()
    }
  }
}

interface Waiting {
  take(piece: unknown): void
  end(error?: WaybillError): void
}

/** The end in a worker thread. The process is kept alive while an answer is awaited, and not after. */
export class AskingLine {
  readonly #address: LineAddress | undefined
  readonly #answerMs: number
  readonly #version: Int32Array
  readonly #from = `@waybill/answers@1:${randomUUID()}`
  readonly #waiting = new Map<number, Waiting>()
  #replies: BroadcastChannel | undefined
  #questions: BroadcastChannel | undefined
  #asked = 0

  /** @param address undefined: the parent shares nothing, and each question is answered by that. */
  constructor(address: LineAddress | undefined, answerMs: number = ANSWER_MS) {
    this.#address = address
    this.#answerMs = answerMs
    this.#version = new Int32Array(address?.version ?? new ArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  }

  /** What one interceptor sees of it. */
  to(share: string): ParentLine {
    return {
      version: () => Atomics.load(this.#version, 0),
      ask: (question, take) => this.#ask(share, question, take),
    }
  }

  #ask(share: string, question: unknown, take: (piece: unknown) => void): Promise<void> {
    const address = this.#address
    if (address === undefined) return Promise.reject(failure(share, 'it has no interceptor of this name'))
    const { replies, questions } = this.#open(address)
    const id = (this.#asked += 1)
    return new Promise<void>((resolve, reject) => {
      const expire = (): NodeJS.Timeout =>
        setTimeout(() => {
          waiting.end(failure(share, `no answer within ${String(this.#answerMs)} ms`))
        }, this.#answerMs).unref()
      let timer = expire()
      const waiting: Waiting = {
        take(piece) {
          clearTimeout(timer)
          timer = expire()
          take(piece)
        },
        end: (error) => {
          clearTimeout(timer)
          this.#waiting.delete(id)
          if (this.#waiting.size === 0) replies.unref()
          if (error === undefined) resolve()
          else reject(error)
        },
      }
      this.#waiting.set(id, waiting)
      replies.ref()
      questions.postMessage({ id, from: this.#from, share: address.share, question } satisfies Question)
    })
  }

  #open({ channel }: LineAddress): {
    readonly replies: BroadcastChannel
    readonly questions: BroadcastChannel
  } {
    // In no scope: a channel holds on to the one in which it was made.
    return runInScope(undefined, () => {
      const replies = (this.#replies ??= this.#listen())
      if (this.#questions === undefined) {
        this.#questions = new BroadcastChannel(channel)
        this.#questions.unref()
      }
      return { replies, questions: this.#questions }
    })
  }

  #listen(): BroadcastChannel {
    const replies = new BroadcastChannel(this.#from)
    replies.onmessage = ({ data }) => {
      const answer = data as Answer
      const waiting = this.#waiting.get(answer.id)
      if (waiting === undefined) return
      if ('piece' in answer) waiting.take(answer.piece)
      else waiting.end('why' in answer ? failure('', answer.why) : undefined)
    }
    return replies
  }
}

function failure(share: string, why: string): WaybillError {
  return new WaybillError('ERR_WAYBILL_PARENT_THREAD', { ...(share === '' ? {} : { share }), why })
}

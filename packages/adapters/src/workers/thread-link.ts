import { BroadcastChannel, receiveMessageOnPort } from 'node:worker_threads'
import { runOutside, threadSecret } from '@waybill/core/adapter'
import { envelopeKey } from './envelope.js'
import { Link } from './link.js'
import { WORKER_EVENT_REMEDY } from './loss-remedies.js'

type Side = 'parent' | 'worker'

/** One end of a worker thread is prepared. */
interface Word {
  readonly thread: number
  readonly side: Side
}

/** Links of this thread by the thread at whose port they stand: its own, and those that it has made. */
const links = new Map<number, ThreadLink>()
let opened: BroadcastChannel | undefined

/** One for all threads of the process, beside their ports; it keeps none of them alive. */
function channel(): BroadcastChannel {
  opened ??= runOutside(WORKER_EVENT_REMEDY, () => {
    const made = new BroadcastChannel(`@waybill/workers@1:${threadSecret()}`)
    made.onmessage = ({ data }) => {
      hear(data as Word)
    }
    made.unref()
    return made
  })
  return opened
}

function hear({ thread, side }: Word): void {
  links.get(thread)?.hear(side)
}

/** Between a worker thread and the thread that made it, which share a secret and so open the same envelopes. */
export class ThreadLink extends Link {
  readonly #word: Word

  /** @param known true where the other side is known to be prepared. */
  constructor(thread: number, side: Side, known: boolean) {
    super(envelopeKey(threadSecret()))
    this.#word = { thread, side }
    links.set(thread, this)
    if (known) this.know(this.own)
    this.#say()
  }

  /** The thread has ended. */
  close(): void {
    links.delete(this.#word.thread)
  }

  override look(): void {
    if (this.peer === this.own) return
    // What was said before a message was posted is there when that message is, but on a port of its own.
    for (;;) {
      const received = receiveMessageOnPort(channel() as never) as { readonly message: Word } | undefined
      if (received === undefined) return
      hear(received.message)
    }
  }

  /** Who was not there yet when this side spoke has heard nothing. */
  hear(side: Side): void {
    if (side === this.#word.side || this.peer === this.own) return
    // First, so that the word is there before whatever waited for this is posted.
    this.#say()
    this.know(this.own)
  }

  #say(): void {
    channel().postMessage(this.#word)
  }
}

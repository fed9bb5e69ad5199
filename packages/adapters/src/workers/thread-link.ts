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
  /** True where it answers a word of the other side, and wants no answer itself. */
  readonly answer: boolean
}

/**
 * Links of this thread by the thread at whose port they stand: its own, and those that it has made. Whoever uses a link
 * keeps it: an application may remove every listener of a worker, ours for its end among them.
 */
const links = new Map<number, WeakRef<ThreadLink>>()
const forget = new FinalizationRegistry<number>((thread) => {
  if (links.get(thread)?.deref() === undefined) links.delete(thread)
})
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

function hear(word: Word): void {
  links.get(word.thread)?.deref()?.hear(word)
}

/** Between a worker thread and the thread that made it, which share a secret and so open the same envelopes. */
export class ThreadLink extends Link {
  readonly #thread: number
  readonly #side: Side

  /** @param known true where the other side is known to be prepared. */
  constructor(thread: number, side: Side, known: boolean) {
    super(envelopeKey(threadSecret()))
    this.#thread = thread
    this.#side = side
    links.set(thread, new WeakRef(this))
    forget.register(this, thread)
    if (known) this.know(this.own)
    this.#say(false)
  }

  /** The thread has ended. */
  close(): void {
    links.delete(this.#thread)
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

  /** Who was not there yet when this side spoke has heard nothing, whatever this side knows already. */
  hear({ side, answer }: Word): void {
    if (side === this.#side) return
    // First, so that the word is there before whatever waited for this is posted.
    if (!answer) this.#say(true)
    this.know(this.own)
  }

  #say(answer: boolean): void {
    channel().postMessage({ thread: this.#thread, side: this.#side, answer } satisfies Word)
  }
}

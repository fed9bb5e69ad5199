import { runOutside } from '@waybill/core/adapter'
import { Link } from './link.js'
import { WORKER_EVENT_REMEDY } from './loss-remedies.js'

/** By this prefix Node hands a message to `internalMessage` and never to the application's `message` (`child_process`). */
const CMD = 'NODE_WAYBILL_WORKERS_1'

/** One end of a forked process is prepared. */
interface Word {
  readonly cmd: typeof CMD
  /** Under which it opens envelopes. */
  readonly key: string
  /** The other's key, by whom it was heard: data that looks like a word does not know it. */
  readonly to?: string
  /** {@link Link.options}. */
  readonly options?: string
}

/** What is used of a `ChildProcess`, and of `process` in it. */
export interface IpcHost {
  on(name: string, listener: (message: unknown) => void): unknown
  send?(...args: unknown[]): unknown
}

/** Between a forked process and the one that forked it. */
export class ProcessLink extends Link {
  /** How the host serialises: by JSON, or by the structured clone of `advanced`. */
  readonly json: boolean
  readonly #host: IpcHost
  readonly #give: (() => string) | undefined
  #given = false
  #answered: string | undefined
  #options: string | undefined

  /** @param give the options of this side's kit, for the other side: at the end of whoever forked the process. */
  constructor(host: IpcHost, own: string, give?: () => string) {
    super(own)
    this.#host = host
    this.#give = give
    runOutside(WORKER_EVENT_REMEDY, () =>
      host.on('internalMessage', (message) => {
        this.#hear(message)
      }),
    )
    this.json = this.#say({ cmd: CMD, key: own })
  }

  override get greeted(): boolean {
    return this.#answered !== undefined
  }

  override get options(): string | undefined {
    return this.#options
  }

  #hear(message: unknown): void {
    if (!isWord(message)) return
    const { key, to, options } = message
    const known = to === this.own
    // Whoever greets has heard nothing yet; there may be several, where a process has loaded several copies of this.
    const greets = to === undefined
    if (greets) this.#given = false
    const gives = known && !this.#given && this.#give !== undefined
    if (known) this.#options ??= options
    if (gives || greets || this.#answered !== key) {
      this.#answered = key
      this.#given ||= gives
      this.#say({ cmd: CMD, key: this.own, to: key, ...(gives && { options: this.#give() }) })
    }
    // Last, so that options go out before the first envelope.
    if (known) this.know(key)
  }

  /** @returns whether it went as JSON. */
  #say(word: Word): boolean {
    let json = false
    // Cloning passes over what is not enumerable.
    Object.defineProperty(word, 'toJSON', {
      value: () => {
        json = true
        return { ...word }
      },
    })
    // The other may have gone meanwhile; that is told by the messages that matter.
    this.#host.send?.(word, undefined, undefined, () => {})
    return json
  }
}

function isWord(message: unknown): message is Word {
  const { cmd, key } = (message ?? {}) as Partial<Word>
  return cmd === CMD && typeof key === 'string'
}

import type { Clock, ParentLine } from '@waybill/core/adapter'
import type { IndexHead, IndexPiece, IndexPosition, IndexQuestion } from './index-message.js'
import { ServiceIndex } from './service-index.js'

/** How long a call waits for news of what is known already, in milliseconds; then it goes by what is known, as stale. */
const NEWS_MS = 1_000
/** How long the parent is believed to have told every change, in milliseconds; then it is asked. */
const BELIEVED_MS = 30_000
/** Services that are remembered; a name may come from outside, in a redirect. */
const REMEMBERED = 1_000

interface Followed {
  readonly index: ServiceIndex
  position: IndexPosition | undefined
  /** The line's version when the parent was asked last, and when that was. */
  version: number
  askedAt: number
  reading: Promise<void> | undefined
  /** True while nobody waits for the news any more. */
  late: boolean
}

/** The worker's end: indexes of its own, kept as the parent's are. Who is ejected it finds out by itself. */
export class FollowedIndexes {
  /** Where the parent looks. */
  place = 'the parent thread'
  readonly #environment: string
  readonly #parent: ParentLine
  readonly #clock: Clock
  readonly #newsMs: number
  readonly #services = new Map<string, Followed>()

  constructor(environment: string, parent: ParentLine, clock: Clock, newsMs: number = NEWS_MS) {
    this.#clock = clock
    this.#environment = environment
    this.#parent = parent
    this.#newsMs = newsMs
  }

  /**
   * A service's instances as the parent knows them now.
   * @throws WaybillError ERR_WAYBILL_PARENT_THREAD where nothing is known and nobody answers; the signal's reason.
   */
  async current(service: string, signal: AbortSignal | undefined): Promise<ServiceIndex> {
    const followed = this.#of(service)
    if (this.#isCurrent(followed)) return followed.index
    followed.reading ??= this.#begin(followed)
    if (followed.position === undefined) await unlessAborted(followed.reading, signal)
    else if (!followed.late) await this.#news(followed, followed.reading, signal)
    return followed.index
  }

  #of(service: string): Followed {
    let followed = this.#services.get(service)
    if (followed === undefined) {
      const index = new ServiceIndex(service, { environment: this.#environment, claimed: true })
      followed = { index, position: undefined, version: 0, askedAt: 0, reading: undefined, late: false }
    }
    // Asked for last stands last.
    this.#services.delete(service)
    this.#services.set(service, followed)
    const [oldest] = this.#services.keys()
    if (this.#services.size > REMEMBERED && oldest !== undefined) this.#services.delete(oldest)
    return followed
  }

  #isCurrent({ position, version, askedAt }: Followed): boolean {
    return (
      position !== undefined &&
      version === this.#parent.version() &&
      this.#clock.now() < askedAt + BELIEVED_MS
    )
  }

  #begin(followed: Followed): Promise<void> {
    const reading = this.#read(followed)
    // Everybody who waited for it may have been given up.
    reading.catch(() => {})
    return reading
  }

  async #read(followed: Followed): Promise<void> {
    const { index, position: known } = followed
    const version = this.#parent.version()
    const askedAt = this.#clock.now()
    let head: IndexHead | undefined
    const named = new Set<string>()
    try {
      await this.#parent.ask({ service: index.service, known } satisfies IndexQuestion, (piece) => {
        if (head === undefined) head = piece as IndexHead
        else take(index, piece as IndexPiece, named)
      })
      if (head === undefined) return
      if (head.whole) for (const { id } of [...index]) if (!named.has(id)) index.delete(id)
      index.stale = head.stale
      index.held = head.held
      this.place = `${head.place}, by the parent thread`
      followed.position = head.position
      followed.version = version
      followed.askedAt = askedAt
    } finally {
      followed.reading = undefined
      followed.late = false
    }
  }

  /** A parent that is busy, at a breakpoint for instance, holds up one call for a moment, and none after it. */
  async #news(followed: Followed, reading: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const giveUp = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        followed.late = true
        followed.index.stale = true
        resolve()
      }, this.#newsMs)
    })
    const news = reading.catch(() => {
      followed.index.stale = true
    })
    try {
      await unlessAborted(Promise.race([news, giveUp]), signal)
    } finally {
      clearTimeout(timer)
    }
  }
}

function take(index: ServiceIndex, { holders, instances, gone }: IndexPiece, named: Set<string>): void {
  // First who may serve which tag, so that no instance is a candidate for a moment in another owner's place.
  for (const [tag, owner] of holders) index.hold(tag, owner)
  for (const instance of instances) {
    named.add(instance.id)
    index.put(instance)
  }
  for (const id of gone) index.delete(id)
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise
  signal.throwIfAborted()
  let abort = (): void => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own reason
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

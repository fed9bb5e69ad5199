import { setTimeout as sleep } from 'node:timers/promises'
import type { Notice } from '../notice.js'
import { ask } from './ask.js'
import type { RunningService } from './process-group.js'

/** Nothing new for so long: what has not come yet is missing. */
const QUIET_MS = 10_000
const LOOK_EVERY_MS = 100

/** Reads what a `notification` has written, once. */
export class NoticeReader {
  readonly #url: string
  #read = 0

  constructor({ url }: RunningService) {
    this.#url = url
  }

  /**
   * The next notices: so many, or fewer if no more come, or more if they are there at once.
   * @param news is told how many have come so far, each time when some have.
   */
  async next(count: number, news?: (taken: number) => void): Promise<readonly Notice[]> {
    const taken: Notice[] = []
    let lastNews = performance.now()
    while (taken.length < count && performance.now() - lastNews < QUIET_MS) {
      const { body } = await ask(`${this.#url}/notices?from=${String(this.#read)}`)
      const { notices } = body as { readonly notices: readonly Notice[] }
      this.#read += notices.length
      taken.push(...notices)
      if (notices.length > 0) {
        lastNews = performance.now()
        news?.(taken.length)
      } else await sleep(LOOK_EVERY_MS)
    }
    return taken
  }
}

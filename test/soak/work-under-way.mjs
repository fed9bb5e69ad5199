/** What has begun and not ended: requests, timers, replies that nobody waits for any more. */
export class WorkUnderWay {
  #count = 0
  /** @type {(() => void) | undefined} */
  #idle

  /** @returns {() => void} to be called once, at the end */
  begin() {
    this.#count++
    return () => {
      if (--this.#count === 0) this.#idle?.()
    }
  }

  /** @returns {Promise<void>} */
  async done() {
    if (this.#count > 0) await new Promise((resolve) => (this.#idle = () => resolve(undefined)))
    this.#idle = undefined
  }
}

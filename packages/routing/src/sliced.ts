/** When a slice is over, and when the next one begins. */
export interface Turns {
  /** Milliseconds on a monotonic clock. */
  now(): number
  /** Calls `slice` once the event loop has had its turn. Returns a cancel. */
  next(slice: () => void): () => void
}

const loopTurns: Turns = {
  now: () => performance.now(),
  next(slice) {
    const immediate = setImmediate(slice)
    return () => {
      clearImmediate(immediate)
    }
  },
}

/**
 * As long as one slice keeps the thread, in milliseconds. A third of what counts as a stall, since more comes on top:
 * the steps up to the next look at the clock, and whatever else that turn of the loop has to do. More slices make the
 * whole hardly dearer, for a turn of an idle loop costs a few µs.
 */
const SLICE_MS = 0.3
/**
 * Steps between two looks at the clock, so that looking weighs little: most steps are a comparison. The dearest one,
 * reading a record that is new, takes some 20 µs.
 */
const STEPS_PER_LOOK = 4

/**
 * Runs a long list of small steps in slices, between which the process answers everybody else. The steps keep their
 * order; one list at a time, and a newer one ends the one before, wherever that stands.
 */
export class Sliced {
  readonly #turns: Turns
  #steps: Iterator<unknown> | undefined
  #cancelNext = (): void => {}

  /** @param turns default: the machine's clock, and `setImmediate`. */
  constructor(turns: Turns = loopTurns) {
    this.#turns = turns
  }

  /** True until the last step of the list has been taken, or it was given up. */
  get busy(): boolean {
    return this.#steps !== undefined
  }

  /** Takes the first slice now, the others in later turns of the event loop. */
  begin(steps: Iterable<unknown>): void {
    this.cancel()
    this.#steps = steps[Symbol.iterator]()
    this.#slice(this.#steps)
  }

  /** Takes all steps before it returns. */
  runWhole(steps: Iterable<unknown>): void {
    this.cancel()
    const own = steps[Symbol.iterator]()
    this.#steps = own
    while (this.#take(own));
  }

  /** Gives up what has not been taken. */
  cancel(): void {
    this.#cancelNext()
    this.#steps = undefined
  }

  #slice(steps: Iterator<unknown>): void {
    const until = this.#turns.now() + SLICE_MS
    for (let taken = 1; this.#take(steps); taken += 1) {
      if (taken % STEPS_PER_LOOK > 0 || this.#turns.now() < until) continue
      this.#cancelNext = this.#turns.next(() => {
        this.#slice(steps)
      })
      return
    }
  }

  /** @returns false after the last one, and where the step itself began another list or gave this one up. */
  #take(steps: Iterator<unknown>): boolean {
    let done: boolean | undefined = true
    try {
      ;({ done } = steps.next())
    } finally {
      if (done === true && this.#steps === steps) this.#steps = undefined
    }
    return this.#steps === steps
  }
}

/** Takes steps at once that nobody needs to interrupt. */
export function takeAll(steps: Iterable<unknown>): void {
  const own = steps[Symbol.iterator]()
  while (own.next().done !== true);
}

import { errorMonitor } from 'node:events'
import { runOutside } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { WORKER_EVENT_REMEDY } from './loss-remedies.js'
import type { PiscinaPool } from './piscina.js'
import { preparedQuestion, QUESTION_OPTIONS } from './prepared-question.js'
import { tellUnprepared } from './task-scope.js'

/** Files that are remembered, and names of each. */
const REMEMBERED = 1_000
/** How long tasks wait for one question, in milliseconds. Later ones ask anew: a pool may lose a thread and say nothing. */
const ASKING_MS = 10_000

type Answer = boolean | Promise<boolean>

/** Which functions of a pool are prepared, as its threads say. */
export class PreparedFunctions {
  readonly #kit: Kit
  readonly #pool: PiscinaPool
  /** By name, by file: no text is put together for a task. */
  readonly #known = new Map<string, Map<string, Answer>>()

  constructor(kit: Kit, pool: PiscinaPool) {
    this.#kit = kit
    this.#pool = pool
  }

  /** Rejects with the pool's error where it could not be asked, twice. */
  isPrepared(filename: string, name: string): Answer {
    let names = this.#known.get(filename)
    const known = names?.get(name)
    if (known !== undefined) return known
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    if (names === undefined || names.size >= REMEMBERED) {
      names = new Map<string, Answer>()
      this.#known.set(filename, names)
    }
    return this.#find(filename, name, names)
  }

  #find(filename: string, name: string, names: Map<string, Answer>): Promise<boolean> {
    const asking = this.#askTwice(filename, name)
    // A file that cannot be loaded fails the task in the pool's own words, and is asked of anew.
    const answered = asking.then((answer) => answer === true)
    // Whoever asked may have been refused meanwhile, and waits for nothing.
    answered.catch(() => {})
    const forget = (): void => {
      if (names.get(name) === answered) names.delete(name)
    }
    const timer = setTimeout(forget, ASKING_MS).unref()
    names.set(name, answered)
    asking.then(
      (answer) => {
        clearTimeout(timer)
        // Until those that wait have been handed in, others go behind them.
        setImmediate(() => {
          forget()
          if (answer !== undefined) names.set(name, answer)
        })
        if (answer === false) {
          tellUnprepared(
            this.#kit,
            `Export waybillWorker(fn) as ${name} of the pool's file, in the place of the bare function, and make the kit before the pool.`,
          )
        }
      },
      () => {
        clearTimeout(timer)
        forget()
      },
    )
    return answered
  }

  /** A thread that dies takes along whatever it is asked, though another task is to blame. */
  async #askTwice(filename: string, name: string): Promise<boolean | undefined> {
    try {
      return await this.#ask(filename, name)
    } catch (error) {
      try {
        return await this.#ask(filename, name)
      } catch {
        throw error
      }
    }
  }

  #ask(filename: string, name: string): Promise<boolean | undefined> {
    // In no scope: the thread that it may start, and what it loads, belong to no task.
    return runOutside(WORKER_EVENT_REMEDY, async () => {
      let fail: (error: unknown) => void = () => {}
      // A thread that cannot load its file is told of by an event alone, and its tasks are never answered.
      const failed = new Promise<never>((_resolve, reject) => (fail = reject))
      this.#pool.on(errorMonitor as never, fail)
      try {
        const answer = this.#pool.run(preparedQuestion(filename, name), QUESTION_OPTIONS)
        return await Promise.race([answer as Promise<boolean | undefined>, failed])
      } finally {
        this.#pool.off(errorMonitor as never, fail)
      }
    })
  }
}

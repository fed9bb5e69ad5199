import { AsyncResource } from 'node:async_hooks'
import { runOutside, tryCurrentWaybill } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { seal } from './envelope.js'
import { heldForProcess, heldForThread } from './held-arguments.js'
import type { Link } from './link.js'
import { isOwnEnd, type LinkedHost } from './links.js'
import { WORKER_EVENT_REMEDY } from './loss-remedies.js'
import { Outbox, type Letter } from './outbox.js'
import { ProcessLink } from './process-link.js'
import { sendTask } from './send-task.js'
import { tellUnprepared } from './task-scope.js'

/** By which a host sends. */
export type SendMethod = 'postMessage' | 'send'

type Host = LinkedHost & { readonly [Name in SendMethod]?: (...args: unknown[]) => unknown }

/**
 * How long a message waits for the other side to say that it is prepared, in milliseconds after it has started. A
 * process on a busy machine takes two seconds to load its modules.
 */
const WAIT_MS = 5_000

interface HeldLetter extends Letter {
  baggage: string | undefined
  readonly delivered: Promise<void>
}

/** What came of a message that was posted at once. */
type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * Sends messages by one end of a worker: in an envelope to a side that opens them, else bare. Whoever made the worker
 * holds messages until that is known; a worker knows as much as it will, and posts at once.
 */
export class Sender {
  readonly #kit: Kit
  readonly #host: Host
  readonly #method: SendMethod
  readonly #link: Link | undefined
  readonly #waits: boolean
  readonly #outbox = new Outbox(() => this.#peer)
  #timer: NodeJS.Timeout | undefined
  #watches = false
  #told = false

  constructor(kit: Kit, host: Host, method: SendMethod, link: Link | undefined) {
    this.#kit = kit
    this.#host = host
    this.#method = method
    this.#link = link
    this.#waits = link !== undefined && !isOwnEnd(host)
    link?.onSettled(() => {
      this.#flush()
    })
  }

  /** @throws what the host throws, where and as it would without the wrapper. */
  send(args: unknown[]): unknown {
    if (this.#kit.disabled) {
      for (const letter of this.#outbox.takeAll()) letter.deliver(false)
      return this.#post(args)
    }
    this.#link?.look()
    const { empty } = this.#outbox
    const key = empty ? this.#peer : undefined
    if (key === false || args.length === 0 || isOver(this.#host)) {
      if (key === false) this.#tellBare()
      return this.#post(args)
    }
    let letter = key === undefined ? this.#hold(args) : undefined
    // What the host would refuse it refuses now.
    if (key === undefined && letter === undefined) return this.#post(args)
    let outcome: Outcome | undefined
    let late = false
    sendTask(this.#kit, undefined, (baggage) => {
      if (letter !== undefined) {
        letter.baggage = baggage
        this.#flush()
        return letter.delivered
      }
      if (late || key === undefined) return Promise.reject(new Error('The host has refused the message'))
      outcome = attempt(() => this.#post(sealed(key, baggage, args)))
      return 'error' in outcome ? rejected(outcome.error) : Promise.resolve()
    }).catch(() => {
      // Nobody waits for a message: what an interceptor refused stands in the `refused` event, all else in `settled`.
      if (letter !== undefined) this.#outbox.remove(letter)
    })
    if (outcome === undefined && letter === undefined) {
      // An interceptor waits: the message keeps its place, and is as it is now.
      late = true
      letter = this.#hold(args)
      if (letter === undefined) return this.#post(args)
    }
    return resultOf(outcome ?? { value: this.#method === 'send' ? true : undefined })
  }

  /** The other side has sent something, and not in an envelope. */
  heardBare(): void {
    if (!this.#waits || this.#link?.peer !== undefined) return
    this.#link?.look()
    if (this.#link?.greeted !== true) this.#link?.giveUp()
  }

  /** The application ends the other side, or the connection to it: what is held goes before. */
  release(): void {
    const key = this.#peer ?? false
    for (const letter of this.#outbox.takeAll()) {
      if (letter.baggage === undefined) letter.drop()
      else letter.deliver(key)
    }
  }

  get #peer(): string | false | undefined {
    const peer = this.#link?.peer
    return peer === undefined && !this.#waits ? false : peer
  }

  #flush(): void {
    this.#outbox.flush()
    if (this.#peer !== undefined) clearTimeout(this.#timer)
  }

  /** Undefined where the host would refuse these arguments. */
  #hold(args: unknown[]): HeldLetter | undefined {
    const held =
      this.#method === 'postMessage'
        ? heldForThread(args)
        : heldForProcess(args, !(this.#link instanceof ProcessLink) || this.#link.json)
    if (held === undefined) return undefined
    const { promise, resolve, reject } = deferred()
    const letter: HeldLetter = {
      baggage: undefined,
      delivered: promise,
      // A callback among the arguments runs in the scope of who sent.
      deliver: AsyncResource.bind((key: string | false) => {
        if (key === false) this.#tellBare()
        const outcome = attempt(() =>
          this.#post(key === false ? held : sealed(key, letter.baggage ?? '', held)),
        )
        if ('error' in outcome) reject(outcome.error)
        else resolve()
      }),
      drop: AsyncResource.bind(() => {
        this.#tellBare()
        // Where there is one to be told, by the host.
        if (typeof held.at(-1) === 'function') attempt(() => this.#post(held))
        reject(new Error('The other side ended before the message could be sent'))
      }),
    }
    this.#outbox.add(letter)
    this.#watch()
    return letter
  }

  /** From the first message on that has to wait. */
  #watch(): void {
    if (!this.#waits) return
    if (this.#peer === undefined && this.#timer === undefined) this.#startTimer()
    if (this.#watches) return
    this.#watches = true
    const ended = (): void => {
      for (const letter of this.#outbox.takeAll()) letter.drop()
      this.#link?.giveUp()
    }
    const started = (): void => {
      if (this.#timer !== undefined) this.#startTimer()
    }
    runOutside(WORKER_EVENT_REMEDY, () => {
      for (const event of ['exit', 'disconnect']) this.#host.on(event, ended)
      for (const event of ['online', 'spawn']) this.#host.on(event, started)
    })
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#link?.giveUp()
    }, WAIT_MS)
    // A thread that holds nobody up gets no messages of a process that has ended; a process does.
    if (this.#method === 'postMessage') this.#timer.unref()
  }

  #post(args: unknown[]): unknown {
    return this.#host[this.#method]?.(...args)
  }

  #tellBare(): void {
    // What a worker says of itself belongs to no task, and its parent need not open envelopes.
    if (this.#told || (!this.#waits && tryCurrentWaybill() === undefined)) return
    this.#told = true
    tellUnprepared(
      this.#kit,
      'Prepare the other side: waybillWorker(fn) in the worker, workerWaybill(kit, …) at both ends.',
    )
  }
}

function sealed(key: string, baggage: string, [value, ...rest]: readonly unknown[]): unknown[] {
  return [seal(key, baggage, value), ...rest]
}

/** The host knows by itself that nobody gets it. */
function isOver({ connected, threadId }: Host): boolean {
  return connected === false || threadId === -1
}

function attempt(post: () => unknown): Outcome {
  try {
    return { value: post() }
  } catch (error) {
    return { error }
  }
}

function resultOf(outcome: Outcome): unknown {
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Its promise may be rejected before anybody looks at it. */
function deferred(): Deferred {
  let settle!: Pick<Deferred, 'resolve' | 'reject'>
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
  promise.catch(() => {})
  return { promise, ...settle }
}

function rejected(error: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- goes on as it was thrown
  return Promise.reject(error)
}

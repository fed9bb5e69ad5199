import { isWaybillError } from '@waybill/core/adapter'
import type { Clock } from '@waybill/core/adapter'
import { startHeartbeat } from '../../heartbeat.js'
import type { BeatRequest } from '../../heartbeat.js'
import type { Instance } from '../../instance.js'
import { OwnLease } from '../../own-lease.js'
import type { BeatAnswer, LeaseLink } from './lease-link.js'

/** Beats in one lease: two may be lost. */
const BEATS = 3

/**
 * Keeps one registration alive on a server.
 *
 * - The lease ends its time after the last acknowledged beat was *sent*, by our own monotonic clock: counted from the
 *   answer, we would hold it up to a round trip longer than the server does.
 * - A beat that the server does not know registers again, whole; one timer drives both, so a server that forgets does
 *   not get two.
 * - Once released, no answer that is still on its way brings the lease back.
 */
export class LeaseKeeper {
  readonly lease: OwnLease
  readonly #link: LeaseLink
  readonly #clock: Clock
  #token: string
  #until: number
  #busy: Promise<void> | undefined
  #stopBeats: () => void = () => {}
  #catchUp: () => void = () => {}
  #stopComingBack: () => void = () => {}
  #cancelExpiry: () => void = () => {}

  /** @param sentAt when the registration was sent. */
  constructor(link: LeaseLink, clock: Clock, instance: Instance, token: string, sentAt: number) {
    this.#link = link
    this.#clock = clock
    this.#token = token
    this.#until = sentAt + link.ttlMs
    this.lease = new OwnLease(instance, () => this.#end())
    this.#acknowledge(sentAt)
    this.#startBeats()
  }

  /** Ends the timers; the lease itself is left to run out. */
  stop(): void {
    this.#cancelExpiry()
    this.#stopBeats()
    this.#stopComingBack()
  }

  #startBeats(): void {
    const everyMs = this.#link.ttlMs / BEATS
    if (this.#link.beatRequest === undefined) {
      this.#stopBeats = this.#clock.every(everyMs, () => {
        this.#once(() => this.#beat())
      })
      return
    }
    this.#startHeartbeat(everyMs, this.#link.beatRequest(this.#token))
    // The heartbeat beats; what it cannot do is to come back after a loss.
    this.#stopComingBack = this.#clock.every(everyMs, () => {
      if (this.lease.state === 'lost') this.#once(() => this.#registerAgain())
    })
  }

  #startHeartbeat(everyMs: number, request: BeatRequest): void {
    const token = this.#token
    const heartbeat = startHeartbeat({
      request,
      everyMs,
      leaseMs: this.#link.ttlMs,
      host: this.lease.instance.host,
      tagged: this.lease.instance.clks.length > 0,
      onBeat: ({ status, body, ageMs }) => {
        if (token !== this.#token || this.#link.readBeat === undefined) return
        const answer = this.#link.readBeat(status, body)
        const sentAt = this.#clock.now() - ageMs
        // Several may come at once after a breakpoint; each counts, whatever exchange is under way.
        if (answer === 'held') this.#acknowledge(sentAt)
        else this.#once(() => this.#takeAnswer(answer, sentAt))
      },
    })
    this.#catchUp = () => {
      heartbeat.catchUp()
    }
    this.#stopBeats = () => {
      heartbeat.stop()
    }
  }

  /** One exchange with the server at a time; a beat that finds another one under way is left out. */
  #once(exchange: () => Promise<void>): void {
    if (this.#busy !== undefined || this.lease.over) return
    this.#busy = exchange()
      .catch(() => {
        // Not reached: the lease runs on until its time is over.
      })
      .finally(() => {
        this.#busy = undefined
      })
  }

  async #beat(): Promise<void> {
    const sentAt = this.#clock.now()
    await this.#takeAnswer(await this.#link.beat(this.#token), sentAt)
  }

  async #takeAnswer(answer: BeatAnswer, sentAt: number): Promise<void> {
    if (this.lease.over) return
    if (answer === 'held') this.#acknowledge(sentAt)
    else if (answer === 'revoked') this.#giveUp('revoked')
    else {
      this.lease.lost('forgotten')
      await this.#registerAgain()
    }
  }

  async #registerAgain(): Promise<void> {
    const sentAt = this.#clock.now()
    try {
      this.#token = await this.#link.register(this.lease.instance)
    } catch (error) {
      if (!isWaybillError(error)) throw error
      const { holder, host } = error.facts
      this.#giveUp('taken', typeof holder === 'string' ? holder : typeof host === 'string' ? host : undefined)
      return
    }
    if (this.lease.over) return
    this.#acknowledge(sentAt)
    if (this.#link.beatRequest !== undefined) {
      // The heartbeat of the former token beats for nothing.
      this.#stopBeats()
      this.#stopComingBack()
      this.#startBeats()
    }
  }

  #acknowledge(sentAt: number): void {
    const until = sentAt + this.#link.ttlMs
    if (this.lease.over || until < this.#until || until <= this.#clock.now()) return
    this.#until = until
    this.lease.restored()
    this.#cancelExpiry()
    this.#cancelExpiry = this.#clock.after(until - this.#clock.now(), () => {
      this.#catchUp()
      if (this.#until === until) this.lease.lost('expired')
    })
  }

  #giveUp(cause: 'revoked' | 'taken', holder?: string): void {
    this.stop()
    this.lease.revoked(cause, holder)
  }

  async #end(): Promise<void> {
    this.stop()
    const underWay = this.#busy
    await this.#link.deregister(this.#token)
    // What was on its way may have made a registration after all; nobody waits for that.
    void underWay?.then(() => this.#link.deregister(this.#token)).catch(() => {})
  }
}

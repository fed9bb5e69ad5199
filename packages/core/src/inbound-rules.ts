import { BELIEF, LOOP_BELIEF, PEER_BELIEF, type Belief } from './belief.js'
import type { CallKind } from './call.js'
import type { Carrier } from './carrier.js'
import type { Ledger } from './counters.js'
import { readEdgeClk, varyOf, type EdgeSource } from './edge-source.js'
import { hasSubscribers } from './events.js'
import type { Facts } from './facts.js'
import type { Seam } from './request.js'
import type { Topics } from './topics.js'
import { isLoopback, type Inbound, type PeerJudge, type PeerSocket } from './trust.js'
import type { EdgeClk } from './waybill-reader.js'

/** What an inbound adapter hands over. It is looked at during the adoption and not kept. */
export interface Arrival {
  readonly kind: CallKind
  readonly carrier: Carrier
  /** Who this listener believes. */
  readonly inbound: Inbound
  /** The connection; undefined where there is none to ask, as for messages, which their topic decides. */
  readonly peer: PeerSocket | undefined
  /** For an edge alone; others need not say it. */
  readonly method: string | undefined
  /** Path and query; for an edge that reads the query, others need not say it. */
  readonly url: string | undefined
  /** Where a message came from, which decides instead of a connection. */
  readonly topic?: string | undefined
  /** Set by a seam, which knows no listener's options: a listener with others takes the arrival over. */
  readonly seam?: Seam | undefined
}

/** What the sender of an arrival is worth. */
export interface Verdict {
  readonly belief: Belief
  /** True for a peer that is believed. */
  readonly accepted: boolean
  /** True if `waybill-explain` is answered. */
  readonly mayAsk: boolean
}

const FORWARDED_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

/** Who is believed what: the table of `inbound`, applied to one arrival. */
export class InboundRules {
  readonly #facts: Facts
  readonly #ledger: Ledger
  readonly #judge: PeerJudge
  readonly #edgeFrom: readonly EdgeSource[]
  readonly #adoptOwnClk: 'loopback' | 'any' | 'never'
  readonly #topics: Topics
  readonly #public: Verdict
  readonly #loop: Verdict
  readonly #edge: Verdict
  readonly #peer: Verdict
  readonly #listedPeer: Verdict
  /** What an edge reads besides the path, for `Vary`; undefined where it reads the query only. */
  readonly vary: string | undefined
  #toldOfForwarded = false

  constructor(
    facts: Facts,
    ledger: Ledger,
    judge: PeerJudge,
    edgeFrom: readonly EdgeSource[],
    adoptOwnClk: 'loopback' | 'any' | 'never',
    topics: Topics,
  ) {
    this.#facts = facts
    this.#ledger = ledger
    this.#judge = judge
    this.#edgeFrom = edgeFrom
    this.#adoptOwnClk = adoptOwnClk
    this.#topics = topics
    this.vary = varyOf(edgeFrom)
    // In production a clk is dead for everybody, unless devRouting wakes it.
    const living = facts.carriesClk ? ~0 : ~BELIEF.clk
    this.#public = { belief: BELIEF.nothing, accepted: false, mayAsk: false }
    this.#loop = { belief: LOOP_BELIEF, accepted: false, mayAsk: false }
    this.#edge = { belief: BELIEF.clk & living, accepted: false, mayAsk: !facts.production }
    this.#peer = { belief: PEER_BELIEF & living, accepted: true, mayAsk: true }
    this.#listedPeer = { belief: (PEER_BELIEF | BELIEF.targetUnit) & living, accepted: true, mayAsk: true }
  }

  judge(arrival: Arrival): Verdict {
    if (arrival.inbound === 'public') return this.#public
    if (arrival.inbound === 'edge') return this.#edge
    if (arrival.kind === 'message') return this.#topics.believes(arrival.topic) ? this.#peer : this.#public
    if (arrival.kind === 'task') return this.#listedPeer
    const standing = this.#judge.standing(arrival.peer)
    if (standing === 'listed') return this.#listedPeer
    if (standing === 'stranger') return this.#loop
    if (this.#wasForwarded(arrival.carrier)) return this.#loop
    return arrival.peer?.authorized === true ? this.#listedPeer : this.#peer
  }

  /** The clk that an edge takes; undefined for other listeners. */
  edgeClk(arrival: Arrival): EdgeClk | undefined {
    return arrival.inbound === 'edge' ? readEdgeClk(this.#edgeFrom, arrival.carrier, arrival) : undefined
  }

  /**
   * The process's own clk, where a request from there that bears nothing of ours adopts it. A message without a waybill
   * belongs to whoever reads the topic, and a task without one to nobody.
   */
  ownClk({ kind, peer }: Arrival): string | undefined {
    const { clk } = this.#facts
    if (clk === undefined || this.#adoptOwnClk === 'never') return undefined
    if (kind === 'message' || kind === 'task') return undefined
    return this.#adoptOwnClk === 'any' || isLoopback(peer?.remoteAddress) ? clk : undefined
  }

  /**
   * Behind an ingress everybody outside has a private address, so a default peer that shows that it forwards is taken
   * as public, unless it is listed.
   */
  #wasForwarded(carrier: Carrier): boolean {
    for (const name of FORWARDED_HEADERS) {
      if (carrier.get(name) !== undefined) {
        this.#tellOfForwarded(name)
        return true
      }
    }
    return false
  }

  #tellOfForwarded(name: string): void {
    if (this.#toldOfForwarded) this.#ledger.counters.dropped.FORWARDED++
    else {
      this.#toldOfForwarded = hasSubscribers('dropped')
      this.#ledger.drop(
        'in',
        name,
        'FORWARDED',
        1,
        "This request came through a proxy and is taken as public; if the proxy is yours, add its address: trust: { peers: ['<address or range>'] }",
      )
    }
  }
}

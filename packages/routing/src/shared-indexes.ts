import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { tagOf } from '@waybill/core/adapter'
import type { AnswerPieces } from '@waybill/core/adapter'
import type { IndexHead, IndexPiece, IndexPosition, IndexQuestion } from './index-message.js'
import type { Provider } from './provider.js'
import type { ServiceIndex } from './service-index.js'

/** Instances in one piece: cloning so many takes about half of what counts as a stall. */
const PIECE = 200
/** Changes of an index that are remembered; who is further behind is told everything. */
const REMEMBERED = 2_048

/** The parent's end: what worker threads read of its indexes, whole at first and then what has changed. */
export class SharedIndexes {
  readonly #changed: () => void
  readonly #journals = new WeakMap<ServiceIndex, IndexJournal>()

  /** @param changed is called with every change of an index that somebody has asked for. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** @param find reads the index if it has not been read. */
  async *answer(
    question: unknown,
    place: string,
    find: (service: string) => Promise<ServiceIndex>,
  ): AnswerPieces {
    const { service, known } = question as IndexQuestion
    const index = await find(service)
    const journal = this.#journalOf(index)
    const ids = journal.since(known)
    yield {
      position: journal.position,
      whole: ids === undefined,
      place,
      stale: index.stale,
      held: index.held,
    } satisfies IndexHead
    // Whatever changes between two pieces stands in the journal behind the position, and is told with the next answer.
    let piece = new Piece(index)
    for (const id of ids ?? idsOf(index)) {
      piece.add(id)
      if (piece.size < PIECE) continue
      yield piece
      piece = new Piece(index)
      await turn()
    }
    if (piece.size > 0) yield piece
  }

  #journalOf(index: ServiceIndex): IndexJournal {
    let journal = this.#journals.get(index)
    if (journal === undefined) {
      const made = (journal = new IndexJournal())
      this.#journals.set(index, made)
      index.observe((providers) => {
        made.add(providers)
        this.#changed()
      })
    }
    return journal
  }
}

function* idsOf(index: ServiceIndex): Iterable<string> {
  for (const { id } of index) yield id
}

class Piece implements IndexPiece {
  readonly holders: [tag: string, owner: string | undefined][] = []
  readonly instances: Provider['instance'][] = []
  readonly gone: string[] = []
  readonly #index: ServiceIndex

  constructor(index: ServiceIndex) {
    this.#index = index
  }

  get size(): number {
    return this.instances.length + this.gone.length
  }

  /** Takes in what an instance is now. One at an address that another service has tagged is gone for who reads. */
  add(id: string): void {
    const provider = this.#index.provider(id)
    if (provider?.standing === undefined) {
      this.gone.push(id)
      return
    }
    for (const clk of provider.instance.clks) {
      this.holders.push([tagOf(clk), this.#index.holderOf(tagOf(clk))])
    }
    this.instances.push(provider.instance)
  }
}

/** The last changes of one index, by the ids of whom they concern. */
class IndexJournal {
  readonly #index = randomUUID()
  readonly #ids: string[] = []
  #dropped = 0

  get position(): IndexPosition {
    return { index: this.#index, at: this.#dropped + this.#ids.length }
  }

  add(providers: Iterable<Provider>): void {
    for (const { instance } of providers) this.#ids.push(instance.id)
    if (this.#ids.length > REMEMBERED) this.#dropped += this.#ids.splice(0, this.#ids.length / 2).length
  }

  /** Whom the changes since then concern; undefined where that is not remembered. */
  since(known: IndexPosition | undefined): Iterable<string> | undefined {
    if (known?.index !== this.#index || known.at < this.#dropped) return undefined
    return new Set(this.#ids.slice(known.at - this.#dropped))
  }
}

import { WaybillError } from './errors.js'
import { fieldIndex } from './field.js'
import type { PlainText } from './plain-form.js'
import { Request, type Seam } from './request.js'
import { parseCellName, parseClk } from './tag.js'

/** The immutable record of routing facts that belongs to one request, message or job. */
export interface Waybill {
  /** The developer's routing tag; undefined means untagged. */
  readonly clk: string | undefined
  /** The shard key in the request's write-once slot. */
  readonly shardKey: string | undefined
  /** Relays across a cell boundary so far. Not network calls: those are `depth`. */
  readonly hopCount: number
  /** The cell that owns the shard key, as a gateway wrote it. */
  readonly targetUnit: string | undefined
  /** Service calls and messages since the beginning of the chain. */
  readonly depth: number
  /** A field that was declared by `createKit({ fields })`; undefined where it is not set or nobody declared it. */
  field(name: string): string | undefined
  /**
   * The same waybill with other facts, in the same request (so with the same key slot).
   * @throws WaybillError ERR_WAYBILL_INVALID_VALUE on a fact that could not be read back at the next hop, and on a field
   * that nobody declared. What a declared field holds is looked at when it is written; one that could not be read back
   * is left out of the call and counted.
   */
  with(changes: WaybillChanges): Waybill
}

/** What `waybill.with()` may change. The shard key is not among it: bind it, or act for another user. */
export interface WaybillChanges {
  /** Undefined removes the tag. */
  readonly clk?: string | undefined
  /** 0 to 99. */
  readonly hopCount?: number
  readonly targetUnit?: string | undefined
  /** By name; each must have been declared. Undefined removes a field. */
  readonly fields?: Readonly<Record<string, string | undefined>>
}

/** The facts of a waybill in the form in which a reader or a maker hands them over. */
export interface WaybillFacts {
  readonly clk: string | undefined
  readonly hopCount: number
  readonly targetUnit: string | undefined
  readonly depth: number
  /** By order of declaration; undefined: none is set. */
  readonly extras: readonly (string | undefined)[] | undefined
  /** As it came, where it came in the plain form; undefined where any fact is not as it came. */
  readonly text: PlainText | undefined
}

/** Reads the facts when they are first looked at, and the shard key into the request's slot. */
export interface WaybillReader {
  read(request: Request): WaybillFacts
}

/** Writes a waybill for a wire; what it wrote is kept on the waybill. */
export interface WaybillWriter<Form> {
  write(waybill: WaybillRecord): Form
}

/** A written form, with what it depends on besides the facts. */
interface Written {
  readonly writer: unknown
  readonly key: string | undefined
  readonly form: unknown
}

export const EMPTY_FACTS: WaybillFacts = {
  clk: undefined,
  hopCount: 0,
  targetUnit: undefined,
  depth: 0,
  extras: undefined,
  text: undefined,
}

/** What is known of a place where code runs in no scope on purpose. */
export interface Nowhere {
  /** What to do about a call that is made there. */
  readonly remedy: string
  /** True: the headers that a caller has put on such a call count, as outside of any request. */
  readonly callersCount: boolean
}

/**
 * The one class behind {@link Waybill}. It knows no wire: it is made with facts or with a reader, and it keeps one written form.
 * All state is private and set in the constructor, so that every waybill has one shape; other copies of the package
 * use its methods and never ask for its class.
 */
export class WaybillRecord implements Waybill {
  readonly #request: Request
  readonly #origin: object | undefined
  readonly #nowhere: Nowhere | undefined
  #reader: WaybillReader | undefined
  #facts: WaybillFacts
  #written: Written | undefined = undefined

  /**
   * @param facts what holds until the reader, if there is one, has read; see {@link WaybillRecord.unread}.
   * @param origin what stands for the arrival that the facts were read from, by which a second adoption is recognised.
   * @param nowhere see {@link WaybillRecord.nowhere}.
   */
  constructor(
    facts: WaybillFacts,
    request: Request = new Request(),
    origin: object | undefined = undefined,
    reader: WaybillReader | undefined = undefined,
    nowhere: Nowhere | undefined = undefined,
  ) {
    this.#request = request
    this.#origin = origin
    this.#nowhere = nowhere
    this.#reader = reader
    this.#facts = facts
  }

  /** A waybill whose facts are read when they are first looked at. */
  static unread(reader: WaybillReader, request: Request, origin?: object): WaybillRecord {
    return new WaybillRecord(EMPTY_FACTS, request, origin, reader)
  }

  /** Stands for no waybill where code runs in no scope on purpose. */
  static nowhere(nowhere: Nowhere): WaybillRecord {
    return new WaybillRecord(EMPTY_FACTS, new Request(), undefined, undefined, nowhere)
  }

  get clk(): string | undefined {
    return this.#look().clk
  }

  get shardKey(): string | undefined {
    this.#look()
    return this.#request.key
  }

  get hopCount(): number {
    return this.#look().hopCount
  }

  get targetUnit(): string | undefined {
    return this.#look().targetUnit
  }

  get depth(): number {
    return this.#look().depth
  }

  field(name: string): string | undefined {
    const index = fieldIndex(name)
    return index === undefined ? undefined : this.#look().extras?.[index]
  }

  with(changes: WaybillChanges): WaybillRecord {
    return new WaybillRecord(
      { ...this.#look(), ...checkChanges(changes, this.#look().extras), text: undefined },
      this.#request,
      this.#origin,
    )
  }

  /** The facts, for whoever writes or copies them. */
  facts(): WaybillFacts {
    return this.#look()
  }

  /** Set where this is no waybill. */
  get nowhere(): Nowhere | undefined {
    return this.#nowhere
  }

  /** The seam by which its request was taken in; looked at without reading the waybill. */
  get seam(): Seam | undefined {
    return this.#request.seam
  }

  /** The request that this waybill belongs to. */
  request(): Request {
    this.#look()
    return this.#request
  }

  /** Fills the request's key slot. @throws WaybillError ERR_WAYBILL_KEY_CONFLICT */
  bindKey(key: string): void {
    this.#look()
    this.#request.bind(key)
  }

  /** The same facts in another request. */
  inRequest(request: Request): WaybillRecord {
    return new WaybillRecord(this.#look(), request, this.#origin)
  }

  /** The same facts and key in a request of its own, which tells nobody who served. */
  inOwnRequest(): WaybillRecord {
    return new WaybillRecord(this.#look(), new Request(this.shardKey))
  }

  /** What stands for the arrival that this waybill was read from; a waybill made of it has the same. */
  get origin(): object | undefined {
    return this.#origin
  }

  /** The written form of one writer; made anew when the key slot was filled since. */
  written<Form>(writer: WaybillWriter<Form>): Form {
    const key = this.shardKey
    const written = this.#written
    if (written?.writer === writer && written.key === key) return written.form as Form
    const form = writer.write(this)
    this.#written = { writer, key, form }
    return form
  }

  #look(): WaybillFacts {
    if (this.#reader !== undefined) {
      const reader = this.#reader
      this.#reader = undefined
      this.#facts = reader.read(this.#request)
    }
    return this.#facts
  }
}

function checkChanges(
  changes: WaybillChanges,
  extras: WaybillFacts['extras'],
): { -readonly [Name in keyof WaybillFacts]?: WaybillFacts[Name] } {
  const checked: { -readonly [Name in keyof WaybillFacts]?: WaybillFacts[Name] } = {}
  if (Object.hasOwn(changes, 'clk')) checked.clk = readable('clk', changes.clk, parseClk)
  if (Object.hasOwn(changes, 'targetUnit')) {
    checked.targetUnit = readable('targetUnit', changes.targetUnit, parseCellName)
  }
  if (Object.hasOwn(changes, 'hopCount') && changes.hopCount !== undefined) {
    if (!Number.isInteger(changes.hopCount) || changes.hopCount < 0 || changes.hopCount > 99) {
      throw new WaybillError('ERR_WAYBILL_INVALID_VALUE', {
        field: 'hopCount',
        problem: 'not a whole number from 0 to 99',
      })
    }
    checked.hopCount = changes.hopCount
  }
  if (Object.hasOwn(changes, 'fields') && changes.fields !== undefined) {
    const copy = extras === undefined ? [] : [...extras]
    for (const name of Object.keys(changes.fields)) {
      const index = fieldIndex(name)
      if (index === undefined) {
        throw new WaybillError('ERR_WAYBILL_INVALID_VALUE', {
          field: name,
          problem: 'not declared by createKit({ fields })',
        })
      }
      copy[index] = changes.fields[name]
    }
    checked.extras = copy
  }
  return checked
}

function readable(
  field: string,
  value: string | undefined,
  parse: (text: string) => string | undefined,
): string | undefined {
  if (value === undefined) return undefined
  const parsed = typeof value === 'string' ? parse(value) : undefined
  if (parsed === undefined) {
    throw new WaybillError('ERR_WAYBILL_INVALID_VALUE', { field, problem: 'not of the documented form' })
  }
  return parsed
}

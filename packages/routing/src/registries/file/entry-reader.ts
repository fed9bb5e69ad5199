import { tagOf } from '@waybill/core/adapter'
import { formatAddress } from '../../address.js'
import { readInstance } from '../../instance.js'
import type { Instance } from '../../instance.js'

/** Where the text came from, and what may stand in it. */
export interface RegistryFileSource {
  readonly file: string
  /** The environment of entries that name none. */
  readonly environment: string
  /** True for the developers' file: each entry has clks and an owner. False: none has clks. */
  readonly tagged: boolean
  /** The name of the file where the others stand. */
  readonly otherFile: string
  /** What the reader of a mistake can do about it. */
  readonly remedy: string
}

/** What keeps an entry out. */
export interface EntryMistake<Place> {
  /** '' where it is the entry as a whole. */
  readonly field: string
  /** Where it is to be looked for, if not in the field itself. */
  readonly at?: string
  readonly message: string
  /** The earlier entry with which this one does not agree. */
  readonly former?: Place
}

/** Reads the entries of one file in turn, whatever it is written in. `Place` is how that tells where an entry stands. */
export class EntryReader<Place> {
  readonly #source: RegistryFileSource
  /** id → its place; tag → its owner. */
  readonly #ids = new Map<string, Place>()
  readonly #owners = new Map<string, string>()

  constructor(source: RegistryFileSource) {
    this.#source = source
  }

  /** @param service of the list in which the entry stands. */
  read(raw: unknown, service: string | undefined, place: Place): Instance | EntryMistake<Place> {
    const { environment } = this.#source
    const defaults = service === undefined ? { environment } : { environment, service }
    const reading = readInstance(withId(raw, service), defaults)
    if (!('instance' in reading)) return reading.problems[0] ?? { field: '', message: 'cannot be read' }
    const { instance } = reading
    return this.#inWrongFile(instance) ?? this.#twice(instance, place) ?? instance
  }

  #inWrongFile({ clks, owner }: Instance): EntryMistake<Place> | undefined {
    const { tagged, otherFile } = this.#source
    if (!tagged && clks.length > 0) {
      const message = `tagged instances stand in the developers' file, ${otherFile}, where nobody else looks`
      return { field: 'clks', message }
    }
    if (tagged && clks.length === 0) {
      return { field: 'clks', message: `is missing; untagged instances stand in ${otherFile}` }
    }
    if (tagged && owner === undefined) {
      return { field: 'owner', at: 'clks', message: 'is missing: a tag belongs to somebody' }
    }
    return undefined
  }

  #twice({ id, clks, owner = '' }: Instance, place: Place): EntryMistake<Place> | undefined {
    const former = this.#ids.get(id)
    if (former !== undefined) return { field: 'id', at: '', message: 'stands there already', former }
    this.#ids.set(id, place)
    for (const tag of clks.map(tagOf)) {
      const holder = this.#owners.get(tag) ?? owner
      if (holder !== owner) return { field: 'clks', message: `${tag} belongs to ${holder}` }
      this.#owners.set(tag, owner)
    }
    return undefined
  }
}

/** An address may serve several services, so the id that is made holds both. */
function withId(raw: unknown, inService: string | undefined): unknown {
  if (typeof raw !== 'object' || raw === null || 'id' in raw) return raw
  const { service = inService, host, port } = raw as Record<string, unknown>
  if (typeof service !== 'string' || typeof host !== 'string' || typeof port !== 'number') return raw
  return { ...raw, id: `${service}@${formatAddress(host, port)}` }
}

import { comparableAddress } from '../../address.js'
import type { Instance } from '../../instance.js'
import type { LeaseRecord } from './lease-file.js'
import { lifeOf, seemsAlive } from './process-life.js'
import type { Life } from './process-life.js'

interface Entry {
  readonly record: LeaseRecord
  life: Life
  /** Since when, on the registry's clock, the process is known to have ended. */
  endedAt?: number
  /** Since when its file is missing although it is claimed. */
  missingAt?: number
  /** What callers see once it has ended: a tagged instance that is no candidate. */
  ended?: Instance
}

/** Looked at before each choice at most; the rest is found by the regular look. */
const LOOKED_AT = 64
/** A lease file that somebody removed is written again by its living process well within this. */
const MISSING_MS = 3_000
/**
 * How long a tag is remembered whose process ended without a word, so that its requests are served with the note
 * that it is down, instead of silently like those of a tag that never was.
 */
const REMEMBERED_MS = 600_000

/**
 * What a reader knows of the registrations in the folder, and whether their processes live. The files say who should
 * be there, the kernel who is.
 */
export class LifeBook {
  #entries = new Map<string, Entry>()
  #services = new Map<string, Entry[]>()
  readonly #lookedAt = new Map<string, number>()

  /**
   * Takes over what the folder holds.
   *
   * @param isEnded tells, for a file that vanished, whether its registration was ended.
   * @returns true while such a one is awaited.
   */
  replace(records: readonly LeaseRecord[], now: number, isEnded: (record: LeaseRecord) => boolean): boolean {
    const next = new Map<string, Entry>()
    for (const record of records) {
      const known = this.#entries.get(record.instance.id)
      const entry = known?.record === record ? known : { record, life: lifeOf(record.process) }
      delete entry.missingAt
      next.set(record.instance.id, entry)
    }
    let awaited = false
    for (const [id, entry] of this.#entries) {
      if (next.has(id) || entry.life !== 'alive' || lifeOf(entry.record.process) !== 'alive') continue
      entry.missingAt ??= now
      if (now - entry.missingAt > MISSING_MS || isEnded(entry.record)) continue
      next.set(id, entry)
      awaited = true
    }
    this.#entries = next
    this.#services = new Map()
    for (const entry of next.values()) {
      const { service } = entry.record.instance
      const group = this.#services.get(service)
      if (group === undefined) this.#services.set(service, [entry])
      else group.push(entry)
    }
    for (const service of this.#lookedAt.keys())
      if (!this.#services.has(service)) this.#lookedAt.delete(service)
    return awaited
  }

  /**
   * A quick look at a service's processes, 1 µs each, at most every `everyMs`.
   *
   * @returns true where one of them has ended.
   */
  look(service: string, now: number, everyMs: number): boolean {
    const entries = this.#services.get(service)
    if (entries === undefined) return false
    if (now - (this.#lookedAt.get(service) ?? -Infinity) < everyMs) return false
    this.#lookedAt.set(service, now)
    for (const { life, record } of entries.slice(0, LOOKED_AT)) {
      if (life === 'alive' && !seemsAlive(record.process.pid)) return true
    }
    return false
  }

  /** Looks at every process. Returns true where one has ended since. */
  judge(): boolean {
    let changed = false
    for (const entry of this.#entries.values()) {
      if (entry.life !== 'alive') continue
      entry.life = lifeOf(entry.record.process)
      if (entry.life !== 'alive') changed = true
    }
    return changed
  }

  /**
   * What callers may see: the living ones, and as no candidates the tagged ones that ended not long ago. Not where a
   * living one has the address since: a tagged address takes nobody into the baseline, and this is no longer one.
   */
  shown(): Instance[] {
    const entries = [...this.#entries.values()]
    const shown = entries.flatMap(({ life, record }) => (life === 'alive' ? record.instance : []))
    const taken = new Set(shown.map(addressOf))
    for (const entry of entries) {
      const { instance } = entry.record
      if (entry.life === 'dead' && instance.clks.length > 0 && !taken.has(addressOf(instance))) {
        shown.push((entry.ended ??= Object.freeze({ ...instance, enabled: false })))
      }
    }
    return shown
  }

  /** Registrations whose process has ended and that nobody needs to see any longer. */
  buried(now: number): LeaseRecord[] {
    const buried: LeaseRecord[] = []
    for (const entry of this.#entries.values()) {
      if (entry.life !== 'dead') continue
      entry.endedAt ??= now
      const isTagged = entry.record.instance.clks.length > 0
      if (!isTagged || now - entry.endedAt > REMEMBERED_MS) buried.push(entry.record)
    }
    return buried
  }
}

function addressOf({ host, port }: Instance): string {
  return comparableAddress(host, port)
}

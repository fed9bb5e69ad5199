import { parseCellName, parseClkPattern } from '@waybill/core/adapter'
import { formatAddress, isAuthority, parseHost } from './address.js'

/** One provider in a registry. Frozen: what this process learns about it is kept beside it, never in it. */
export interface Instance {
  /** Has one living process. Default `host:port`. */
  readonly id: string
  readonly environment: string
  /** Lower case, as hosts are. */
  readonly service: string
  /** A name or an address, lower case, IPv6 without brackets. */
  readonly host: string
  readonly port: number
  /** Trimmed, lower case. */
  readonly cell?: string
  /** Trimmed, lower case. */
  readonly zone?: string
  /** `team`, or `team.*` for every tag below it too. Empty: untagged, and so baseline. */
  readonly clks: readonly string[]
  readonly owner?: string
  /** Share of the calls among untagged ones, default 1; 0 is never picked. */
  readonly weight: number
  /** Switched by hand; no beat changes it. Default true. */
  readonly enabled: boolean
  /** Free text; `role` and `authority` are read by the kit. May not bear the name of another field. */
  readonly metadata: Readonly<Record<string, string>>
}

export type FieldProblemCode =
  'MISSING' | 'INVALID' | 'INVALID_CLK' | 'NO_ADDRESS' | 'UNKNOWN_KEY' | 'METADATA_BEARS_FIELD'

/** One field that keeps an entry out. `message` is a sentence without the value: it came from outside. */
export interface FieldProblem {
  readonly field: string
  readonly code: FieldProblemCode
  readonly message: string
}

export type InstanceReading = { readonly instance: Instance } | { readonly problems: readonly FieldProblem[] }

const FIELDS = [
  'id',
  'environment',
  'service',
  'host',
  'port',
  'cell',
  'zone',
  'clks',
  'owner',
  'weight',
  'enabled',
  'metadata',
] as const
const KNOWN: ReadonlySet<string> = new Set(FIELDS)
/** `clk` is no field, but whoever writes it into the metadata means `clks`. */
const NOT_IN_METADATA: ReadonlySet<string> = new Set([...FIELDS, 'clk'])

const PRINTABLE = /^[\x20-\x7e]*$/
const METADATA_KEY = /^[a-z][a-z0-9._-]{0,63}$/i
const MAX_TEXT_LENGTH = 128
const MAX_VALUE_LENGTH = 256
const MAX_CLKS = 32
const MAX_METADATA_ENTRIES = 32
const MAX_WEIGHT = 1_000_000

/**
 * Reads what stands in a file or comes from a registry. Never throws. An entry with one unreadable field is refused
 * whole: a tagged instance whose clks were lost would otherwise join the baseline.
 *
 * @param defaults what the place of the entry says already, e.g. the service under which it was found.
 */
export function readInstance(
  raw: unknown,
  defaults: Partial<Pick<Instance, 'id' | 'environment' | 'service'>> = {},
): InstanceReading {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { problems: [{ field: '', code: 'INVALID', message: 'an instance is a mapping of its fields' }] }
  }
  const reader = new FieldReader({ ...defaults, ...raw })
  for (const key of Object.keys(raw)) if (!KNOWN.has(key)) reader.refuseKey(key)
  const host = reader.host()
  const port = reader.port()
  const cell = reader.name('cell')
  const zone = reader.name('zone')
  const owner = reader.text('owner')
  const instance: Instance = Object.freeze({
    id: reader.text('id') ?? formatAddress(host, port),
    environment: reader.required('environment').toLowerCase(),
    service: reader.required('service').toLowerCase(),
    host,
    port,
    ...(cell === undefined ? {} : { cell }),
    ...(zone === undefined ? {} : { zone }),
    clks: reader.clks(),
    ...(owner === undefined ? {} : { owner }),
    weight: reader.weight(),
    enabled: reader.enabled(),
    metadata: reader.metadata(),
  })
  return reader.problems.length > 0 ? { problems: reader.problems } : { instance }
}

/** Collects every problem instead of stopping at the first; what it returns for a refused field is never used. */
class FieldReader {
  readonly problems: FieldProblem[] = []
  readonly #raw: Record<string, unknown>

  constructor(raw: Record<string, unknown>) {
    this.#raw = raw
  }

  refuseKey(key: string): void {
    const name = PRINTABLE.test(key) ? key.slice(0, MAX_TEXT_LENGTH) : '?'
    this.#refuse(name, 'UNKNOWN_KEY', name === 'clk' ? 'unknown key; the tags stand in clks' : 'unknown key')
  }

  text(field: string): string | undefined {
    const value = this.#raw[field]
    if (value === undefined) return undefined
    if (typeof value !== 'string') return this.#refuse(field, 'INVALID', 'must be text')
    const text = value.trim()
    if (text === '' || text.length > MAX_TEXT_LENGTH || !PRINTABLE.test(text)) {
      return this.#refuse(field, 'INVALID', `must be 1 to ${MAX_TEXT_LENGTH} printable ASCII characters`)
    }
    return text
  }

  required(field: string): string {
    if (this.#raw[field] === undefined) this.#refuse(field, 'MISSING', 'is missing')
    return this.text(field) ?? ''
  }

  /** Cell and zone: one normal form wherever they are read. */
  name(field: string): string | undefined {
    const value = this.#raw[field]
    if (value === undefined) return undefined
    const name = typeof value === 'string' ? parseCellName(value) : undefined
    return name ?? this.#refuse(field, 'INVALID', 'must be 1 to 63 of a-z 0-9 _ -')
  }

  host(): string {
    const text = this.required('host')
    if (text === '') return ''
    const parsed = parseHost(text)
    if ('host' in parsed) return parsed.host
    if (parsed.problem === 'invalid') this.#refuse('host', 'INVALID', 'must be a host name or an IP address')
    else this.#refuse('host', 'NO_ADDRESS', `a ${parsed.problem} address is none that others can call`)
    return ''
  }

  port(): number {
    const port = this.#raw['port']
    if (port === undefined) this.#refuse('port', 'MISSING', 'is missing')
    else if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
      this.#refuse('port', 'INVALID', 'must be a whole number from 1 to 65535')
    } else return port
    return 0
  }

  weight(): number {
    const weight = this.#raw['weight']
    if (weight === undefined) return 1
    if (typeof weight === 'number' && weight >= 0 && weight <= MAX_WEIGHT) return weight
    this.#refuse('weight', 'INVALID', `must be a number from 0 to ${MAX_WEIGHT}`)
    return 0
  }

  enabled(): boolean {
    const enabled = this.#raw['enabled']
    if (enabled === undefined) return true
    if (typeof enabled !== 'boolean') this.#refuse('enabled', 'INVALID', 'must be true or false')
    return enabled === true
  }

  /** A list, or one text with commas between. In part invalid is invalid. */
  clks(): readonly string[] {
    const value = this.#raw['clks']
    if (value === undefined) return NO_CLKS
    const list: unknown = typeof value === 'string' ? value.split(',') : value
    const patterns = Array.isArray(list) && list.length <= MAX_CLKS ? list.map(readPattern) : [undefined]
    if (patterns.includes(undefined)) {
      this.#refuse(
        'clks',
        'INVALID_CLK',
        'each clk must be segments of a-z 0-9 - joined by dots, or such a tag and .*',
      )
      return NO_CLKS
    }
    return Object.freeze([...new Set(patterns as string[])])
  }

  metadata(): Readonly<Record<string, string>> {
    const value = this.#raw['metadata']
    if (value === undefined) return NO_METADATA
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#refuse('metadata', 'INVALID', 'must be a mapping of texts')
      return NO_METADATA
    }
    const entries = Object.entries(value as Record<string, unknown>)
    if (entries.length > MAX_METADATA_ENTRIES) {
      this.#refuse('metadata', 'INVALID', `must have at most ${MAX_METADATA_ENTRIES} entries`)
      return NO_METADATA
    }
    return Object.freeze(Object.fromEntries(entries.filter((entry) => this.#acceptsMetadata(entry))))
  }

  #acceptsMetadata(entry: [string, unknown]): entry is [string, string] {
    const [key, value] = entry
    if (!METADATA_KEY.test(key)) {
      this.#refuse('metadata', 'INVALID', 'has a key that is not 1 to 64 of a-z 0-9 . _ - after a letter')
    } else if (NOT_IN_METADATA.has(key.toLowerCase())) {
      const field = key.toLowerCase() === 'clk' ? 'clks' : key.toLowerCase()
      this.#refuse(
        `metadata.${key}`,
        'METADATA_BEARS_FIELD',
        `say it in the field ${field}, not in the metadata`,
      )
    } else if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH || !PRINTABLE.test(value)) {
      this.#refuse(
        `metadata.${key}`,
        'INVALID',
        `must be at most ${MAX_VALUE_LENGTH} printable ASCII characters`,
      )
    } else if (key === 'authority' && !isAuthority(value)) {
      this.#refuse('metadata.authority', 'INVALID', 'must be host or host:port')
    }
    return true
  }

  #refuse(field: string, code: FieldProblemCode, message: string): undefined {
    this.problems.push({ field, code, message })
    return undefined
  }
}

const NO_CLKS: readonly string[] = Object.freeze([])
const NO_METADATA: Readonly<Record<string, string>> = Object.freeze({})

function readPattern(clk: unknown): string | undefined {
  return typeof clk === 'string' ? parseClkPattern(clk) : undefined
}

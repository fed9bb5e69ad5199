import type { Stamp } from '@waybill/core/adapter'

/** One header as a client keeps it. A value that is no text is sent as the client makes text of it. */
export type HeaderLine = readonly [name: string, value: unknown]

/**
 * The headers of a call, in any form that clients accept, as lines: looked up in any case, and stamped on a copy. What
 * they were read from is never changed.
 */
export class HeaderLines {
  readonly lines: readonly HeaderLine[]
  #values: Map<string, string> | undefined

  constructor(lines: readonly HeaderLine[]) {
    this.lines = lines
  }

  /** The value of a header, several lines joined by a comma. @param name in lower case. */
  get(name: string): string | undefined {
    if (this.#values === undefined) {
      this.#values = new Map()
      for (const [key, value] of this.lines) {
        const text = textOf(value)
        if (text === undefined) continue
        const lower = key.toLowerCase()
        const before = this.#values.get(lower)
        this.#values.set(lower, before === undefined ? text : `${before}, ${text}`)
      }
    }
    return this.#values.get(name)
  }

  /** The lines as they are sent: ours first, then the caller's, without those that ours replace. */
  stamped(stamp: Stamp): HeaderLine[] {
    return [...stamp.set, ...this.lines.filter((line) => !replaces(stamp, line[0].toLowerCase()))]
  }
}

/** By looking at each: for half a dozen names a set costs more, and so does taking each pair apart. */
function replaces({ set, remove }: Stamp, name: string): boolean {
  return remove.includes(name) || set.some((pair) => pair[0] === name)
}

/** Reads a record, `Headers`, a list of pairs, or the flat list of names and values that node:http and undici accept. */
export function headerLines(headers: unknown): HeaderLines {
  return new HeaderLines(linesOf(headers))
}

/** The stamped lines in the form that the client was given: a record again, or the flat list. */
export function stampedLike(form: unknown, lines: HeaderLines, stamp: Stamp): unknown {
  const stamped = lines.stamped(stamp)
  return isRecord(form) ? Object.fromEntries(stamped) : stamped.flat()
}

function isRecord(headers: unknown): boolean {
  return typeof headers === 'object' && headers !== null && !(Symbol.iterator in headers)
}

function linesOf(headers: unknown): HeaderLine[] {
  if (typeof headers !== 'object' || headers === null) return []
  if (Array.isArray(headers)) return Array.isArray(headers[0]) ? pairsOf(headers) : flatPairsOf(headers)
  if (Symbol.iterator in headers) return pairsOf([...(headers as Iterable<unknown>)])
  return Object.entries(headers)
}

function pairsOf(list: readonly unknown[]): HeaderLine[] {
  return list.map((pair) => {
    const [name, value] = pair as readonly [unknown, unknown]
    return [String(name), value]
  })
}

function flatPairsOf(list: readonly unknown[]): HeaderLine[] {
  const lines: HeaderLine[] = []
  for (let index = 0; index + 1 < list.length; index += 2) {
    lines.push([nameOf(list[index]), list[index + 1]])
  }
  return lines
}

/** undici keeps names as bytes where they came from the wire. */
function nameOf(name: unknown): string {
  return name instanceof Uint8Array ? Buffer.from(name).toString('latin1') : String(name)
}

/** The text that a client would send for a value, so that whatever it sends is seen. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === undefined) return undefined
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (Array.isArray(value)) {
    const texts = value.flatMap((item) => textOf(item) ?? [])
    return texts.length === 0 ? undefined : texts.join(', ')
  }
  try {
    // eslint-disable-next-line @typescript-eslint/no-base-to-string
    return String(value)
  } catch {
    // The client fails with it, or knows another way to text: the header is there all the same.
    return ''
  }
}

import type { Carrier } from './carrier.js'
import { WaybillError } from './errors.js'
import { isSafeMethod } from './method.js'
import { textList } from './text-list.js'
import type { EdgeClk } from './waybill-reader.js'

/** One place from which an edge takes a clk, in the order of `trust.edgeFrom`. */
export interface EdgeSource {
  readonly kind: 'header' | 'cookie' | 'query'
  /** Name of the header (lower case), cookie or query parameter. */
  readonly name: string
}

/** What an edge looks at besides headers. */
export interface EdgeRequest {
  readonly method: string | undefined
  readonly url: string | undefined
}

const ENTRY = /^(header|cookie|query):([A-Za-z0-9!#$%&'*+.^_`|~-]+)$/

/**
 * Reads `trust.edgeFrom`: `header` (the dedicated header), `header:NAME`, `cookie:NAME` and `query:NAME`.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION naming the entry that is none of these.
 */
export function parseEdgeSources(entries: readonly string[], clkHeader: string): readonly EdgeSource[] {
  return textList('trust.edgeFrom', entries).map((entry) => {
    const match = ENTRY.exec(entry === 'header' ? `header:${clkHeader}` : entry)
    if (match?.[1] === undefined || match[2] === undefined) {
      throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
        option: 'trust.edgeFrom',
        entry,
        problem: 'not header, header:NAME, cookie:NAME or query:NAME',
      })
    }
    const kind = match[1] as EdgeSource['kind']
    return { kind, name: kind === 'header' ? match[2].toLowerCase() : match[2] }
  })
}

/** The first source that is present decides, even empty or invalid; `text` is undefined where none is. */
export function readEdgeClk(sources: readonly EdgeSource[], carrier: Carrier, request: EdgeRequest): EdgeClk {
  for (const { kind, name } of sources) {
    const text =
      kind === 'header'
        ? carrier.get(name)
        : kind === 'cookie'
          ? cookie(carrier.get('cookie'), name)
          : isSafeMethod(request.method)
            ? query(request.url, name)
            : undefined
    if (text !== undefined) return { source: kind, text }
  }
  return { source: 'none', text: undefined }
}

/** The headers among the sources. */
export function headersOf(sources: readonly EdgeSource[]): readonly string[] {
  return sources.filter(({ kind }) => kind === 'header').map(({ name }) => name)
}

/** The value of `Vary` for what these sources read; undefined where only the query does. */
export function varyOf(sources: readonly EdgeSource[]): string | undefined {
  const names = sources.flatMap(({ kind, name }) =>
    kind === 'header' ? name : kind === 'cookie' ? 'cookie' : [],
  )
  return names.length === 0 ? undefined : [...new Set(names)].join(', ')
}

function cookie(
  header: string | readonly string[] | undefined,
  name: string,
): string | readonly string[] | undefined {
  if (header === undefined) return undefined
  const values: string[] = []
  for (const pair of (typeof header === 'string' ? header : header.join(';')).split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) {
      values.push(
        pair
          .slice(equals + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      )
    }
  }
  return several(values)
}

function query(url: string | undefined, name: string): string | readonly string[] | undefined {
  const start = url?.indexOf('?') ?? -1
  return url === undefined || start === -1
    ? undefined
    : several(new URLSearchParams(url.slice(start + 1)).getAll(name))
}

/** Twice the same is once; twice different is ambiguous, and told as a list. */
function several(values: readonly string[]): string | readonly string[] | undefined {
  const distinct = [...new Set(values)]
  return distinct.length > 1 ? distinct : distinct[0]
}

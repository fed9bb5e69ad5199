import { WaybillError } from '@waybill/core/adapter'
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document, Node } from 'yaml'
import type { Instance } from '../../instance.js'
import { EntryReader } from './entry-reader.js'
import type { RegistryFileSource } from './entry-reader.js'
import { tooDeepAt } from './nesting.js'
import { tryReadJson } from './read-json.js'

/** More is no file that somebody writes by hand. */
const BYTES_AT_MOST = 8 * 1024 * 1024

/**
 * Reads a registry file, YAML or JSON:
 *
 * ```yaml
 * instances:
 *   - { service: inventory, host: 10.1.2.3, port: 8080, zone: az-ci }
 * services:
 *   payment:
 *     - { host: 10.1.2.4, port: 8080 }
 * ```
 *
 * The first mistake is the answer: a file that is half understood would send half of the traffic astray.
 *
 * @throws WaybillError `ERR_WAYBILL_REGISTRY_FILE` with file, line and, where there is one, field.
 */
export function parseRegistryFile(text: string, source: RegistryFileSource): Instance[] {
  return (
    (text.length <= BYTES_AT_MOST ? tryReadJson(text, source) : undefined) ??
    new RegistryFile(text, source).read()
  )
}

class RegistryFile {
  readonly #source: RegistryFileSource
  readonly #lines = new LineCounter()
  readonly #document: Document.Parsed
  readonly #entries: EntryReader<Node>

  constructor(text: string, source: RegistryFileSource) {
    this.#source = source
    this.#entries = new EntryReader(source)
    if (text.length > BYTES_AT_MOST)
      throw this.#mistake(undefined, '', `is larger than ${String(BYTES_AT_MOST)} bytes`)
    const place = tooDeepAt(text)
    if (place !== undefined) {
      // The parser would have counted the lines.
      for (const { index } of text.matchAll(/^/gm)) this.#lines.addNewLine(index)
      throw this.#mistake(place, '', 'is nested deeper than a registry file can be')
    }
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: true })
    const [error] = this.#document.errors
    if (error !== undefined) throw this.#mistake(error.pos[0], '', error.message)
  }

  read(): Instance[] {
    const root = this.#document.contents as Node | null
    // An empty file is one that is being written, or was cut off: "nobody" has to be said.
    if (root === null) throw this.#mistake(undefined, '', 'is empty; with no instances it says instances: []')
    if (!isMap(root)) throw this.#mistake(root.range?.[0], '', 'must be a mapping with instances or services')
    return root.items.flatMap(({ key, value }) => {
      const name = this.#plain(key)
      if (name === 'instances') return this.#readList(value as Node | null, 'instances')
      if (name === 'services') return this.#readServices(value as Node | null)
      throw this.#mistake(startOf(key), printable(name), 'unknown key; known are instances and services')
    })
  }

  #readServices(node: Node | null): Instance[] {
    if (isEmpty(node)) return []
    if (!isMap(node))
      throw this.#mistake(startOf(node), 'services', 'must map each service to a list of its instances')
    return node.items.flatMap(({ key, value }) => {
      const service = this.#plain(key)
      if (typeof service !== 'string')
        throw this.#mistake(startOf(key), 'services', 'a service is named by text')
      return this.#readList(value as Node | null, `services.${printable(service)}`, service)
    })
  }

  #readList(node: Node | null, path: string, service?: string): Instance[] {
    if (isEmpty(node)) return []
    if (!isSeq(node)) throw this.#mistake(startOf(node), path, 'must be a list of instances')
    return node.items.map((item, at) => this.#readEntry(item as Node, `${path}[${String(at)}]`, service))
  }

  #readEntry(node: Node, path: string, service: string | undefined): Instance {
    const entry = this.#entries.read(this.#plain(node), service, node)
    if (!('message' in entry)) return entry
    const { field, at = field, former } = entry
    const message =
      former === undefined ? entry.message : `stands in line ${String(this.#lineOf(startOf(former)))} already`
    throw this.#mistake(this.#placeOf(node, at), field === '' ? path : `${path}.${field}`, message)
  }

  /** Where a field stands, as near as can be: the field, else the entry. */
  #placeOf(node: Node, field: string): number | undefined {
    let place = startOf(node)
    let inside: unknown = node
    for (const name of field.split('.')) {
      if (!isMap(inside)) break
      const pair = inside.items.find(({ key }) => this.#plain(key) === name)
      if (pair === undefined) break
      place = startOf(pair.key) ?? place
      inside = pair.value
    }
    return place
  }

  /** Values as JSON has them; `maxAliasCount` ends a file that grows when it is unfolded. */
  #plain(node: unknown): unknown {
    const value = node as Node | null | undefined
    try {
      return value?.toJS(this.#document, { maxAliasCount: 100 }) as unknown
    } catch (error) {
      throw this.#mistake(startOf(value), '', error instanceof Error ? error.message : 'cannot be read')
    }
  }

  #lineOf(place: number | undefined): number {
    return place === undefined ? 1 : this.#lines.linePos(place).line
  }

  #mistake(place: number | undefined, field: string, problem: string): WaybillError {
    const { file, remedy } = this.#source
    return new WaybillError(
      'ERR_WAYBILL_REGISTRY_FILE',
      { file, line: this.#lineOf(place), ...(field === '' ? {} : { field }), problem },
      { remedy },
    )
  }
}

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]

const isEmpty = (node: Node | null): node is null => node === null || node.range?.[0] === node.range?.[1]

const printable = (text: unknown): string =>
  String(text)
    .slice(0, 64)
    .replace(/[^\x20-\x7e]/g, '?')

import { WaybillError } from '@waybill/core/adapter'
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document, Node } from 'yaml'
import { formatAddress } from '../../address.js'
import { readInstance } from '../../instance.js'
import type { Instance } from '../../instance.js'
import { tooDeepAt } from './nesting.js'

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
  return new RegistryFile(text, source).read()
}

class RegistryFile {
  readonly #source: RegistryFileSource
  readonly #lines = new LineCounter()
  readonly #document: Document.Parsed
  /** id → its place; tag → its owner. */
  readonly #ids = new Map<string, number>()
  readonly #owners = new Map<string, string>()

  constructor(text: string, source: RegistryFileSource) {
    this.#source = source
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
    const instances: Instance[] = []
    for (const { key, value } of root.items) {
      const name = this.#plain(key)
      if (name === 'instances') instances.push(...this.#readList(value as Node | null, 'instances', {}))
      else if (name === 'services') instances.push(...this.#readServices(value as Node | null))
      else throw this.#mistake(startOf(key), printable(name), 'unknown key; known are instances and services')
    }
    return instances
  }

  #readServices(node: Node | null): Instance[] {
    if (isEmpty(node)) return []
    if (!isMap(node))
      throw this.#mistake(startOf(node), 'services', 'must map each service to a list of its instances')
    return node.items.flatMap(({ key, value }) => {
      const service = this.#plain(key)
      if (typeof service !== 'string')
        throw this.#mistake(startOf(key), 'services', 'a service is named by text')
      return this.#readList(value as Node | null, `services.${printable(service)}`, { service })
    })
  }

  #readList(node: Node | null, path: string, defaults: { readonly service?: string }): Instance[] {
    if (isEmpty(node)) return []
    if (!isSeq(node)) throw this.#mistake(startOf(node), path, 'must be a list of instances')
    return node.items.map((item, at) => this.#readEntry(item as Node, `${path}[${String(at)}]`, defaults))
  }

  #readEntry(node: Node, path: string, defaults: { readonly service?: string }): Instance {
    const { environment } = this.#source
    const raw = this.#plain(node)
    const reading = readInstance(withId(raw, defaults.service), { environment, ...defaults })
    if (!('instance' in reading)) {
      const { field, message } = reading.problems[0] ?? { field: '', message: 'cannot be read' }
      throw this.#mistake(this.#placeOf(node, field), field === '' ? path : `${path}.${field}`, message)
    }
    const { instance } = reading
    this.#refuseInWrongFile(instance, node, path)
    this.#refuseTwice(instance, node, path)
    return instance
  }

  #refuseInWrongFile({ clks, owner }: Instance, node: Node, path: string): void {
    const { tagged, otherFile } = this.#source
    const place = this.#placeOf(node, 'clks')
    if (!tagged && clks.length > 0) {
      throw this.#mistake(
        place,
        `${path}.clks`,
        `tagged instances stand in the developers' file, ${otherFile}, where nobody else looks`,
      )
    }
    if (tagged && clks.length === 0) {
      throw this.#mistake(place, `${path}.clks`, `is missing; untagged instances stand in ${otherFile}`)
    }
    if (tagged && owner === undefined)
      throw this.#mistake(place, `${path}.owner`, 'is missing: a tag belongs to somebody')
  }

  #refuseTwice({ id, clks, owner = '' }: Instance, node: Node, path: string): void {
    const place = startOf(node)
    const former = this.#ids.get(id)
    if (former !== undefined)
      throw this.#mistake(place, `${path}.id`, `stands in line ${String(former)} already`)
    this.#ids.set(id, this.#lineOf(place))
    for (const clk of clks) {
      const tag = clk.endsWith('.*') ? clk.slice(0, -2) : clk
      const holder = this.#owners.get(tag) ?? owner
      if (holder !== owner)
        throw this.#mistake(this.#placeOf(node, 'clks'), `${path}.clks`, `${tag} belongs to ${holder}`)
      this.#owners.set(tag, owner)
    }
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

/** An address may serve several services, so the id that is made holds both. */
function withId(raw: unknown, inService: string | undefined): unknown {
  if (typeof raw !== 'object' || raw === null || 'id' in raw) return raw
  const { service = inService, host, port } = raw as Record<string, unknown>
  if (typeof service !== 'string' || typeof host !== 'string' || typeof port !== 'number') return raw
  return { ...raw, id: `${service}@${formatAddress(host, port)}` }
}

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]

const isEmpty = (node: Node | null): node is null => node === null || node.range?.[0] === node.range?.[1]

const printable = (text: unknown): string =>
  String(text)
    .slice(0, 64)
    .replace(/[^\x20-\x7e]/g, '?')

/** A header's value as a carrier gives it: absent, one text, or several. */
export type CarrierValue = string | readonly string[] | undefined

/** What a waybill is read from: header names in lower case go in, decoded text comes out. */
export interface Carrier {
  get(name: string): CarrierValue
  /**
   * The object that stands for this arrival, by which a second adoption is recognised. The waybill holds it for as long as
   * it lives, in a timer perhaps, so it should hold little itself.
   */
  readonly origin: object
  /**
   * Names, in lower case, of headers that are there and have no value at all: a record of Kafka may bear null. Where one of
   * them is ours, an event says so.
   */
  readonly valueless?: readonly string[]
}

/** The value of one header in whatever form host libraries keep it. */
export type RawHeaderValue = HeaderItem | readonly HeaderItem[]

type HeaderItem = string | number | boolean | Uint8Array | null | undefined

/** A plain record of headers: node:http's, kafkajs's, axios's. */
export type HeaderRecord = Readonly<Record<string, RawHeaderValue>>

/** What has a `get` by name: fetch's Headers, gRPC metadata. */
export interface HeaderMap {
  get(name: string): RawHeaderValue
}

/**
 * node:http's `req.headers`: names are lower case and values strings, so a look is one own property.
 * Only own properties count; a polluted prototype adds no header.
 */
export class HttpCarrier implements Carrier {
  readonly origin: object
  readonly #headers: HeaderRecord

  /** @param origin stands for the request; default the headers, which a waybill then holds. */
  constructor(headers: HeaderRecord, origin: object = headers) {
    this.origin = origin
    this.#headers = headers
  }

  get(name: string): CarrierValue {
    try {
      const value = ownValue(this.#headers, name)
      return typeof value === 'string' || value === undefined ? value : textOf(value)
    } catch {
      return undefined
    }
  }
}

const PLAIN = Object.prototype as HeaderRecord

/**
 * A place of its own for each name of wire format v1 that every request is asked for: V8 keeps, for each place in the code, where
 * objects of a shape have a property, or that they lack it. By a variable each look goes through the object's whole
 * list of properties; six of them were a sixth of the time to take a request in.
 */
function ownValue(headers: HeaderRecord, name: string): RawHeaderValue {
  switch (name) {
    case 'baggage':
      return unlessInherited(headers, name, headers['baggage'], PLAIN['baggage'])
    case 'clk':
      return unlessInherited(headers, name, headers['clk'], PLAIN['clk'])
    case 'x-shard-key':
      return unlessInherited(headers, name, headers['x-shard-key'], PLAIN['x-shard-key'])
    case 'x-hop-count':
      return unlessInherited(headers, name, headers['x-hop-count'], PLAIN['x-hop-count'])
    case 'x-target-unit':
      return unlessInherited(headers, name, headers['x-target-unit'], PLAIN['x-target-unit'])
    case 'waybill-explain':
      return unlessInherited(headers, name, headers['waybill-explain'], PLAIN['waybill-explain'])
    default:
      return unlessInherited(headers, name, headers[name], PLAIN[name])
  }
}

/** `hasOwn` takes longer than all else here: it is asked where something could be inherited. */
function unlessInherited(
  headers: HeaderRecord,
  name: string,
  value: RawHeaderValue,
  plain: RawHeaderValue,
): RawHeaderValue {
  if (value === undefined) return undefined
  const inheritsNothing = plain === undefined && Object.getPrototypeOf(headers) === PLAIN
  return inheritsNothing || Object.hasOwn(headers, name) ? value : undefined
}

/** Any other record: names in any case, values as Buffers, strings, arrays of them, null. What is no text is absent. */
class RecordCarrier implements Carrier {
  readonly origin: HeaderRecord

  constructor(headers: HeaderRecord) {
    this.origin = headers
  }

  get valueless(): readonly string[] {
    const names = orAbsent(() => Object.keys(this.origin).filter((key) => this.origin[key] === null))
    return (names ?? []).map((name) => name.toLowerCase())
  }

  get(name: string): CarrierValue {
    return orAbsent(() => {
      let found: CarrierValue
      for (const key of Object.keys(this.origin)) {
        if (key.length === name.length && key.toLowerCase() === name) {
          const text = textOf(this.origin[key])
          if (text !== undefined) found = found === undefined ? text : [found, text].flat()
        }
      }
      return found
    })
  }
}

/** Headers or metadata: both look names up in any case themselves. */
class MapCarrier implements Carrier {
  readonly origin: HeaderMap

  constructor(headers: HeaderMap) {
    this.origin = headers
  }

  get(name: string): CarrierValue {
    return orAbsent(() => textOf(this.origin.get(name)))
  }
}

/** The one normaliser of what comes in: picks the carrier that fits. Anything else carries nothing. */
export function carrierOf(headers: unknown): Carrier {
  if (typeof headers !== 'object' || headers === null) return new RecordCarrier({})
  return orAbsent(() => carrierFor(headers)) ?? new RecordCarrier(headers as HeaderRecord)
}

function carrierFor(headers: object): Carrier | undefined {
  if (headers instanceof Map) return new RecordCarrier(recordOf(headers))
  return hasGet(headers) ? new MapCarrier(headers) : undefined
}

/** A Map's own keys may differ in case, so its `get` is of no use. */
function recordOf(map: ReadonlyMap<unknown, unknown>): HeaderRecord {
  const texts = [...map].filter(([name]) => typeof name === 'string')
  return Object.fromEntries(texts) as HeaderRecord
}

function hasGet(headers: object): headers is HeaderMap {
  return 'get' in headers && typeof headers.get === 'function'
}

/** What comes from outside never throws: a header that cannot be had is absent. */
function orAbsent<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

function textOf(value: RawHeaderValue, nested = false): CarrierValue {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) {
    // One character per byte, as node:http does: what we read is percent-encoded ASCII, and bytes stay countable.
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
  }
  if (Array.isArray(value) && !nested) {
    const texts = (value as readonly HeaderItem[]).flatMap((item) => textOf(item, true) ?? [])
    return texts.length > 1 ? texts : texts[0]
  }
  return undefined
}

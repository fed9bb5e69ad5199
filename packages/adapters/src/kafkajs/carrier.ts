import { carrierOf, type Carrier } from '@waybill/core/adapter'

/** What is longer is not read to its end anyway, and not worth keeping. */
const MAX_KEPT_BYTES = 8192

interface Kept {
  readonly bytes: Buffer
  readonly carrier: Carrier
}

let last: Kept | undefined

/**
 * The headers of a received message. Where a kit wrote them there is `baggage` alone, and neighbours in a partition
 * mostly bear the same bytes: those are decoded once.
 */
export function messageCarrier(headers: unknown): Carrier {
  return aloneCarrier(headers) ?? withoutOrigin(carrierOf(headers))
}

function aloneCarrier(headers: unknown): Carrier | undefined {
  try {
    const bytes = baggageAlone(headers)
    return bytes && keptCarrier(bytes)
  } catch {
    // A getter or a Proxy that throws: the general reader says what can be had.
    return undefined
  }
}

function keptCarrier(bytes: Uint8Array): Carrier {
  if (last?.bytes.equals(bytes) === true) return last.carrier
  const text = carrierOf({ baggage: bytes }).get('baggage')
  const carrier: Carrier = { origin: {}, get: (name) => (name === 'baggage' ? text : undefined) }
  // A copy: what was received is a slice of the whole fetch, which it would keep alive.
  if (bytes.length <= MAX_KEPT_BYTES) last = { bytes: Buffer.from(bytes), carrier }
  return carrier
}

function baggageAlone(headers: unknown): Uint8Array | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const names = Object.keys(headers)
  if (names.length !== 1 || names[0] !== 'baggage') return undefined
  const value = (headers as { readonly baggage: unknown }).baggage
  return value instanceof Uint8Array ? value : undefined
}

/** A waybill holds the origin for as long as it lives; these headers would keep the whole fetch alive. */
function withoutOrigin(carrier: Carrier): Carrier {
  return {
    origin: {},
    get: (name) => carrier.get(name),
    get valueless() {
      return carrier.valueless ?? []
    },
  }
}

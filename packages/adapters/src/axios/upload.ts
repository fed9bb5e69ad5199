import { Readable } from 'node:stream'
import type { BodyKind } from '@waybill/core/adapter'
import { KeptBody } from '../node-http/kept-body.js'

/** A request body as every hop of a chain may need it again. */
export interface Upload {
  readonly kind: BodyKind
  /** False for a stream that is gone once it was sent. */
  readonly repeatable: boolean
  /** The body for one hop, from its beginning. */
  body(): unknown
}

/**
 * What axios is given as `data`. Where redirects are followed a stream is kept as it is read, as axios does itself: set
 * `maxRedirects: 0` for an upload that must not stay in memory.
 */
export function uploadOf(data: unknown, follows: boolean): Upload {
  if (data === undefined || data === null) return { kind: 'none', repeatable: true, body: () => data }
  if (typeof data !== 'object' || !isStream(data))
    return { kind: 'replayable', repeatable: true, body: () => data }
  // The package form-data is a stream, too, but axios asks it for its boundary.
  if (!follows || !(data instanceof Readable)) return { kind: 'stream', repeatable: false, body: () => data }
  return keptStream(data)
}

function isStream(data: object): boolean {
  const { pipe, getReader } = data as { pipe?: unknown; getReader?: unknown }
  return typeof pipe === 'function' || typeof getReader === 'function'
}

function keptStream(source: Readable): Upload {
  const kept = new KeptBody(source)
  return { kind: 'stream', repeatable: true, body: () => Readable.from(kept.read(), { objectMode: false }) }
}

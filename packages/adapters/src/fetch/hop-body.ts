import { Readable } from 'node:stream'
import type { BodyKind } from '@waybill/core/adapter'
import type { HeaderLines } from '../node-http/header-lines.js'
import { KeptBody } from '../node-http/kept-body.js'
import type { Scope } from './hop-scope.js'
import { scopedBody } from './scoped-body.js'

/** The body of one hop, for each of its attempts. */
export interface HopBody {
  readonly kind: BodyKind
  forAttempt(): unknown
}

/**
 * In `dispatch` every body of fetch is a generator. One of a known length was made of a text, a form or a Blob that is
 * in memory already; it is kept as it is read. Any other is a stream, and nothing of it is kept.
 */
export function hopBody(body: unknown, lines: HeaderLines, scope: Scope): HopBody {
  if (body === undefined || body === null) return { kind: 'none', forAttempt: () => body }
  if (typeof body !== 'object' || ArrayBuffer.isView(body) || body instanceof ArrayBuffer) return whole(body)
  if (body instanceof Blob || body instanceof FormData) return whole(body)
  if (!(Symbol.asyncIterator in body) || isReadable(body)) return { kind: 'stream', forAttempt: () => body }
  const pieces = scopedBody(body as AsyncIterable<unknown>, scope)
  if (lines.get('content-length') === undefined) return { kind: 'stream', forAttempt: () => pieces }
  const kept = new KeptBody(pieces)
  return { kind: 'replayable', forAttempt: () => kept.read() }
}

function whole(body: unknown): HopBody {
  return { kind: 'replayable', forAttempt: () => body }
}

function isReadable(body: object): boolean {
  return body instanceof Readable || body instanceof ReadableStream
}

import type { StoredMessage } from './plain-broker.js'

/** A record as Node clients of Kafka give it. */
export interface ClientMessage {
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers?: Readonly<Record<string, HeaderBytes | readonly HeaderBytes[]>> | undefined
}

type HeaderBytes = Buffer | string | null | undefined

/** What the suite compares, from what a client gives. */
export function storedMessage({ key, value, headers = {} }: ClientMessage): StoredMessage {
  const rawHeaders = Object.entries(headers).flatMap(([name, given]) =>
    listed(given).flatMap((one) => [name, one?.toString('latin1') ?? '(null)']),
  )
  return {
    key: key?.toString() ?? null,
    value: value?.toString() ?? null,
    rawHeaders,
    lines: (name) =>
      rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name),
  }
}

function listed(given: HeaderBytes | readonly HeaderBytes[]): readonly HeaderBytes[] {
  return Array.isArray(given) ? given : [given as HeaderBytes]
}

import { hash } from 'node:crypto'

/** The last one that was asked for: the spans and log lines of a request come in a row. */
let last: { readonly key: string; readonly hash: string } | undefined

/** A short, stable hash of a shard key (the first 8 hex digits of SHA-256): for log lines, where the key must not stand. */
export function shardHash(key: string): string {
  if (last?.key !== key) last = { key, hash: hash('sha256', key).slice(0, 8) }
  return last.hash
}

import { createHash } from 'node:crypto'

/** A short, stable hash of a shard key (the first 8 hex digits of SHA-256): for log lines, where the key must not stand. */
export function shardHash(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}

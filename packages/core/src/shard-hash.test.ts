import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { shardHash } from './shard-hash.js'

test('a hash is the beginning of SHA-256, whichever key was asked for before', () => {
  const keys = ['user-1', 'user-2', 'user-2', 'user-1', '键', 'user-1']
  expect(keys.map(shardHash)).toEqual(
    keys.map((key) => createHash('sha256').update(key).digest('hex').slice(0, 8)),
  )
})

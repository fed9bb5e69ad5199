import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Law } from '../../law.js'
import type { ProcessLaw, ProcessRecord } from '../../process-record.js'
import { withInstallation } from '../../process/installation.js'
import { runChild } from '../../process/run-child.js'

interface Seen {
  readonly esm?: string
  readonly cjs?: string
  readonly key: string
}

interface Clash {
  readonly code?: string
  readonly facts?: { readonly here: string; readonly there: string }
  /** What the second copy reads in a scope of the first. */
  readonly read: string
}

export const twoCopies: Law<Extract<ProcessLaw, 'two-copies'>, ProcessRecord> = {
  name: 'two-copies',
  title: 'with two copies of the kit, context is shared or the clash is reported',
  async holds(record) {
    await bothFormats(record)
    await anotherProtocol(record)
  },
}

async function bothFormats(record: ProcessRecord): Promise<void> {
  const { seen } = await runChild<{ readonly seen: readonly Seen[] }>('chain', record)
  assert.equal(seen.length, 4, 'the request goes through every hop')
  for (const hop of seen) {
    assert.deepEqual(
      hop,
      { esm: 'alice', cjs: 'alice', key: 'ERR_WAYBILL_KEY_CONFLICT' },
      'both copies see one scope',
    )
  }
}

async function anotherProtocol(record: ProcessRecord): Promise<void> {
  const core = { ...record, packages: ['@waybill/core'] }
  await withInstallation(
    core,
    (_path, text) => text,
    async (same) => {
      const clash = await runChild<Clash>('clash', [record.folder, same.folder])
      assert.deepEqual(clash, { read: 'alice' }, 'copies of one protocol share the scope')
    },
  )
  let places = 0
  const raise = (_path: string, text: string): string =>
    text.includes('Symbol.for("@waybill/core")')
      ? text.replace(/\bprotocol(: | !== )1\b/g, (_found, between: string) => {
          places++
          return `protocol${between}2`
        })
      : text
  await withInstallation(core, raise, async (raised) => {
    // Two places, written and compared, in each of two formats.
    assert.equal(places, 4, 'the copy speaks another protocol')
    for (const [first, second] of [
      [record.folder, raised.folder],
      [raised.folder, record.folder],
    ] as const) {
      const { code, facts, read } = await runChild<Clash>('clash', [first, second])
      assert.equal(code, 'ERR_WAYBILL_TWO_COPIES', 'the clash is reported')
      const paths = [facts?.here, facts?.there].map((copy) =>
        copy?.includes(join(raised.folder, 'node_modules')),
      )
      assert.deepEqual(
        paths,
        second === raised.folder ? [true, false] : [false, true],
        'both copies are named',
      )
      assert.equal(read, 'undefined', 'who only reads is not failed')
    }
  })
}

import assert from 'node:assert/strict'
import type { Law } from '../../law.js'
import type { ProcessLaw, ProcessRecord } from '../../process-record.js'
import { runChild } from '../../process/run-child.js'

export const oneStorage: Law<Extract<ProcessLaw, 'one-storage'>, ProcessRecord> = {
  name: 'one-storage',
  title: 'the packages of the kit, all loaded in both formats, make exactly one AsyncLocalStorage',
  async holds(record) {
    const { storages } = await runChild<{ readonly storages: readonly string[] }>('chain', record, {
      counting: true,
    })
    assert.equal(storages.length, 1, storages.join('\n\n'))
  },
}

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { countsOnTheSdk } from './broken/process/beside-opentelemetry.js'
import { bringsItsOwn } from './broken/process/one-storage.js'
import { keepsToItself } from './broken/process/two-copies.js'
import { lawsOfProcesses } from './laws-of-processes.js'
import type { ProcessLaw } from './process-record.js'
import { withInstallation } from './process/installation.js'

const BUILT = {
  folder: fileURLToPath(new URL('../../..', import.meta.url)),
  packages: ['@waybill/core', '@waybill/adapters'],
}

/** Which laws fail where the built code was changed like that. Stores of their own are several stores. */
const doubles: readonly (readonly [(path: string, text: string) => string, readonly ProcessLaw[]])[] = [
  [keepsToItself, ['two-copies', 'one-storage']],
  [bringsItsOwn, ['one-storage']],
  [countsOnTheSdk, ['beside-opentelemetry']],
]

for (const [change, expected] of doubles) {
  test(`${change.name} fails ${expected.join(' and ')} and no other`, { timeout: 60_000 }, async () => {
    const failed: string[] = []
    await withInstallation(BUILT, change, async (installed) => {
      for (const law of lawsOfProcesses) await law.holds(installed).catch(() => failed.push(law.name))
    })
    expect(failed).toEqual(expected)
  })
}

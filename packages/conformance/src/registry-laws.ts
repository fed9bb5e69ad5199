import { describe } from 'vitest'
import { judge } from './judge.js'
import type { Law } from './law.js'
import { dispose } from './laws/registry/dispose.js'
import { eventualView } from './laws/registry/eventual-view.js'
import { lateBeat } from './laws/registry/late-beat.js'
import { leaseLoss } from './laws/registry/lease-loss.js'
import { massLoss } from './laws/registry/mass-loss.js'
import { oneId } from './laws/registry/one-id.js'
import { oneOwner } from './laws/registry/one-owner.js'
import { orderedEvents } from './laws/registry/ordered-events.js'
import { plainClient } from './laws/registry/plain-client.js'
import { reRegistration } from './laws/registry/re-registration.js'
import { revoked } from './laws/registry/revoked.js'
import { staleSnapshot } from './laws/registry/stale-snapshot.js'
import { switchedOff } from './laws/registry/switched-off.js'
import type { RegistryLawName, RegistryRecord, RegistryWorld } from './registry-record.js'

/** A law for a registry, tried on one that was started for it. */
export type RegistryLaw = Law<RegistryLawName, RegistryWorld>

/** What holds for every registry, in the order in which a reader meets it. */
export const lawsOfRegistries: readonly RegistryLaw[] = [
  eventualView,
  orderedEvents,
  plainClient,
  staleSnapshot,
  massLoss,
  oneOwner,
  oneId,
  leaseLoss,
  lateBeat,
  reRegistration,
  switchedOff,
  revoked,
  dispose,
]

/** Tries one law on a registry of its own. */
export async function tryLaw(law: RegistryLaw, open: () => Promise<RegistryWorld>): Promise<void> {
  const world = await open()
  try {
    await law.holds(world)
  } finally {
    await world.dispose()
  }
}

/** Registers the laws of a registry as tests. */
export function registryLaws(record: RegistryRecord): void {
  describe(record.name, () => {
    for (const law of lawsOfRegistries) {
      judge(law, record.laws[law.name], () => tryLaw(law, () => record.open()))
    }
  })
}

import { deepEqual } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { needed } from './fault.js'
import { candidatesOf, sampleInstance, SERVICE } from './sample-instance.js'

export const switchedOff: RegistryLaw = {
  name: 'switched-off',
  title:
    'what was switched off by hand is no candidate, and neither beats nor a new registration switch it on; routing-79, routing-94',
  async holds(world) {
    const client = await world.client()
    await client.register(sampleInstance('a'))
    await needed(world.faults.switchOff, 'switching off')('a')
    await world.pass(2 * world.leaseMs)
    deepEqual(candidatesOf(client.index(SERVICE)), [])
    await world.faults.forget?.('a')
    await world.pass(2 * world.leaseMs)
    deepEqual(candidatesOf(client.index(SERVICE)), [])
    deepEqual(
      [...client.index(SERVICE)].map(({ id }) => id),
      ['a'],
    )
  },
}

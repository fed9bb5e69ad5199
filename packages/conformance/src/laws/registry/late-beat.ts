import { deepEqual } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { needed } from './fault.js'
import { candidatesOf, sampleInstance, SERVICE } from './sample-instance.js'

export const lateBeat: RegistryLaw = {
  name: 'late-beat',
  title: 'released is gone, whatever beats are still on their way; routing-76',
  async holds(world) {
    const client = await world.client()
    const lease = await client.register(sampleInstance('a'))
    const arrive = needed(world.faults.delayBeats, 'beats on their way')()
    await world.pass(world.leaseMs / 2)
    await lease.release()
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), [])
    await arrive()
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), [])
    await world.pass(2 * world.leaseMs)
    deepEqual(candidatesOf(client.index(SERVICE)), [])
  },
}

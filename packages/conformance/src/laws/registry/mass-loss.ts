import { deepEqual, equal } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { needed } from './fault.js'
import { candidatesOf, sampleInstance, SERVICE, taggedInstance } from './sample-instance.js'

export const massLoss: RegistryLaw = {
  name: 'mass-loss',
  title:
    'half or more of four untagged instances that vanish at once are kept for a lease; one of them, or a tagged one, goes at once; routing-78',
  async holds(world) {
    const client = await world.client()
    const vanish = needed(world.vanish?.bind(world), 'losing several at once')
    for (const id of ['a', 'b', 'c', 'd', 'e']) await world.place(sampleInstance(id))
    await world.place(taggedInstance('t', 'alice'))
    await world.pass(world.settleMs)
    await vanish(['e'])
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['a', 'b', 'c', 'd', 't'])
    await vanish(['a', 'b', 't'])
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['a', 'b', 'c', 'd'])
    equal(client.index(SERVICE).held, true)
    await world.pass(2 * world.leaseMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['c', 'd'])
    equal(client.index(SERVICE).held, false)
  },
}

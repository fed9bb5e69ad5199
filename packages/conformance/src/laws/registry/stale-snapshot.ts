import { deepEqual, equal } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { needed } from './fault.js'
import { candidatesOf, sampleInstance, SERVICE } from './sample-instance.js'

export const staleSnapshot: RegistryLaw = {
  name: 'stale-snapshot',
  title:
    'while the registry is away the last snapshot stays, marked stale, and its return without a change tells nothing; routing-64, routing-89',
  async holds(world) {
    const client = await world.client()
    await world.place(sampleInstance('a'))
    await world.pass(world.settleMs)
    const told: string[] = []
    client.watch(SERVICE, ({ kind, instance }) => told.push(`${kind} ${instance.id}`))
    const cut = needed(world.faults.cut, 'being cut off')
    await cut(true)
    await world.pass(world.reconnectMs)
    equal(client.index(SERVICE).stale, true)
    await world.pass(10 * world.leaseMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['a'])
    equal(client.index(SERVICE).stale, true)
    await cut(false)
    await world.pass(world.reconnectMs)
    equal(client.index(SERVICE).stale, false)
    deepEqual(candidatesOf(client.index(SERVICE)), ['a'])
    deepEqual(told, [])
  },
}

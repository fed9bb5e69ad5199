import { deepEqual } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { needed } from './fault.js'
import { candidatesOf, sampleInstance, SERVICE, taggedInstance } from './sample-instance.js'

export const leaseLoss: RegistryLaw = {
  name: 'lease-loss',
  title:
    'a holder that ends without a word is gone when its lease is over, not before, and its tag is free; routing-95',
  async holds(world) {
    const client = await world.client()
    const holder = await needed(world.faults.holder, 'a holder that ends')()
    await holder.register(sampleInstance('a'))
    await holder.register(taggedInstance('b', 'alice'))
    await world.pass(3 * world.leaseMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['a', 'b'])
    await holder.kill()
    await world.pass(world.leaseMs + world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), [])
    await client.register(taggedInstance('c', 'alice', 'bob'))
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['c'])
  },
}

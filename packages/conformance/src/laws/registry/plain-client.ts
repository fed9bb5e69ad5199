import { deepEqual } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { candidatesOf, sampleInstance, SERVICE, taggedInstance } from './sample-instance.js'

export const plainClient: RegistryLaw = {
  name: 'plain-client',
  title: 'a client without the kit never sees a tagged instance',
  async holds(world) {
    const client = await world.client()
    await world.place(sampleInstance('a'))
    await world.place(taggedInstance('b', 'alice'))
    await world.place(taggedInstance('c', 'team.*'))
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['a', 'b', 'c'])
    deepEqual(await world.plain(SERVICE), ['a'])
  },
}

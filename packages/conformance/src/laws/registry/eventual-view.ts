import { deepEqual, equal } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { candidatesOf, sampleInstance, SERVICE, taggedInstance } from './sample-instance.js'

export const eventualView: RegistryLaw = {
  name: 'eventual-view',
  title: 'what was brought in is seen by all clients, whole, and taken out it is gone; routing-8',
  async holds(world) {
    const [before, a, b] = [await world.client(), sampleInstance('a'), taggedInstance('b', 'alice')]
    deepEqual(candidatesOf(before.index(SERVICE)), [])
    const takeOut = await world.place(a)
    await world.place(b)
    await world.pass(world.settleMs)
    const after = await world.client()
    await after.ready(SERVICE)
    for (const client of [before, after]) {
      deepEqual(candidatesOf(client.index(SERVICE)), ['a', 'b'])
      deepEqual({ ...client.index(SERVICE).get('a') }, a)
      deepEqual({ ...client.index(SERVICE).get('b') }, b)
      equal(client.index(SERVICE).stale, false)
      deepEqual(candidatesOf(client.index('payment')), [])
    }
    await takeOut()
    await world.pass(world.settleMs)
    for (const client of [before, after]) deepEqual(candidatesOf(client.index(SERVICE)), ['b'])
  },
}

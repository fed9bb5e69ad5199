import { deepEqual } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { sampleInstance, SERVICE } from './sample-instance.js'

export const orderedEvents: RegistryLaw = {
  name: 'ordered-events',
  title: 'each change is told once, in order, to those who watch the service, until they stop; routing-19',
  async holds(world) {
    const client = await world.client()
    const told: string[] = []
    const toldTwice: string[] = []
    client.watch(SERVICE, ({ kind, instance }) => told.push(`${kind} ${instance.id}`))
    const stop = client.watch(SERVICE, ({ kind, instance }) => toldTwice.push(`${kind} ${instance.id}`))
    for (let round = 0; round < 2; round += 1) {
      const takeOut = await world.place(sampleInstance('a'))
      await world.pass(world.settleMs)
      await takeOut()
      await world.pass(world.settleMs)
    }
    deepEqual(toldTwice, told)
    stop()
    await world.place(sampleInstance('a'))
    await world.place(sampleInstance('z', { service: 'payment' }))
    await world.pass(world.settleMs)
    deepEqual(told, ['added a', 'removed a', 'added a', 'removed a', 'added a'])
    deepEqual(toldTwice, told.slice(0, 4))
  },
}

import { deepEqual, equal, rejects } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { candidatesOf, sampleInstance, SERVICE } from './sample-instance.js'

export const dispose: RegistryLaw = {
  name: 'dispose',
  title: 'a closed client tells nothing, knows nothing, takes nothing, and has released what it held',
  async holds(world) {
    const [client, other] = [await world.client(), await world.client()]
    const told: string[] = []
    const states: string[] = []
    const lease = await client.register(sampleInstance('a'))
    lease.watch((state) => states.push(state))
    await world.pass(world.settleMs)
    client.watch(SERVICE, ({ kind, instance }) => told.push(`${kind} ${instance.id}`))
    await client.close()
    await client.close()
    equal(lease.state, 'released')
    deepEqual(states, ['released'])
    const before = [...told]
    await other.register(sampleInstance('b'))
    await world.pass(2 * world.leaseMs + world.settleMs)
    deepEqual(candidatesOf(other.index(SERVICE)), ['b'])
    deepEqual(candidatesOf(client.index(SERVICE)), [])
    deepEqual(told, before)
    await rejects(client.register(sampleInstance('c')))
  },
}

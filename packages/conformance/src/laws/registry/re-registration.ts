import { deepEqual, equal } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { needed } from './fault.js'
import { candidatesOf, sampleInstance, SERVICE } from './sample-instance.js'

export const reRegistration: RegistryLaw = {
  name: 're-registration',
  title:
    'what the registry has lost is registered again, whole and once, and its holder is told: lost, then held; routing-77, routing-93',
  async holds(world) {
    const [client, other] = [await world.client(), await world.client()]
    const instance = sampleInstance('a', {
      clks: ['alice', 'team.*'],
      owner: 'alice',
      weight: 7,
      metadata: { role: 'leader' },
    })
    const lease = await client.register(instance)
    const states: string[] = []
    lease.watch((state) => states.push(state))
    await world.pass(world.settleMs)
    await needed(world.faults.forget, 'losing a registration')('a')
    await world.pass(2 * world.leaseMs + world.settleMs)
    deepEqual(candidatesOf(other.index(SERVICE)), ['a'])
    deepEqual({ ...other.index(SERVICE).get('a') }, instance)
    deepEqual(states, ['lost', 'held'])
    equal(lease.state, 'held')
    await world.pass(5 * world.leaseMs)
    deepEqual(states, ['lost', 'held'])
    await lease.release()
    await world.pass(2 * world.leaseMs)
    deepEqual(candidatesOf(other.index(SERVICE)), [])
  },
}

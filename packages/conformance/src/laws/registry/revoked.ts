import { deepEqual, equal } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { candidatesOf, SERVICE, taggedInstance } from './sample-instance.js'

export const revoked: RegistryLaw = {
  name: 'revoked',
  title:
    'a tag that another client releases is gone for good, its holder is told, and may announce again; routing-81',
  async holds(world) {
    const [client, other] = [await world.client(), await world.client()]
    const lease = await client.register(taggedInstance('a', 'alice'))
    const states: string[] = []
    lease.watch((state) => states.push(state))
    await world.pass(world.settleMs)
    const ended = await other.revoke('alice')
    deepEqual(
      ended.map(({ id }) => id),
      ['a'],
    )
    await world.pass(3 * world.leaseMs + world.settleMs)
    deepEqual(candidatesOf(other.index(SERVICE)), [])
    deepEqual(states, ['revoked'])
    equal(lease.state, 'revoked')
    const again = await client.register(taggedInstance('a', 'alice'))
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(other.index(SERVICE)), ['a'])
    equal(again.state, 'held')
  },
}

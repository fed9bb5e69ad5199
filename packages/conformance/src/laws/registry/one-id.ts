import { deepEqual, rejects } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { candidatesOf, sampleInstance, SERVICE } from './sample-instance.js'

export const oneId: RegistryLaw = {
  name: 'one-id',
  title: 'an id has one living holder, whose process and host are named to the second; routing-98',
  async holds(world) {
    const [client, other] = [await world.client(), await world.client()]
    const lease = await client.register(sampleInstance('a'))
    await rejects(other.register(sampleInstance('a')), (error: unknown) => {
      const { code, facts } = error as { code?: unknown; facts?: { pid?: unknown; host?: unknown } }
      return (
        code === 'ERR_WAYBILL_ID_TAKEN' && typeof facts?.pid === 'number' && typeof facts.host === 'string'
      )
    })
    await lease.release()
    await other.register(sampleInstance('a'))
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['a'])
  },
}

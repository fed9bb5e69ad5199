import { deepEqual, rejects } from 'node:assert/strict'
import type { RegistryLaw } from '../../registry-laws.js'
import { candidatesOf, sampleInstance, SERVICE, taggedInstance } from './sample-instance.js'

/** The refusal that names the holder. */
const ownedBy =
  (holder: string) =>
  (error: unknown): boolean => {
    const { code, facts } = error as { code?: unknown; facts?: { holder?: unknown } }
    return code === 'ERR_WAYBILL_TAG_OWNED' && facts?.holder === holder
  }

export const oneOwner: RegistryLaw = {
  name: 'one-owner',
  title:
    'a tag has one owner across all services, named to whoever else asks, until the last lease ends; routing-60',
  async holds(world) {
    const [client, other] = [await world.client(), await world.client()]
    const first = await client.register(taggedInstance('a', 'team'))
    const second = await other.register({ ...taggedInstance('b', 'team.*', 'team'), service: 'payment' })
    await rejects(other.register(taggedInstance('c', 'team', 'mallory')), ownedBy('team'))
    await rejects(other.register(taggedInstance('d', 'team.*', 'mallory')), ownedBy('team'))
    // All or nothing: the free tag is not left behind in the name of somebody who was refused.
    const both = sampleInstance('e', { clks: ['free', 'team'], owner: 'mallory' })
    await rejects(other.register(both), ownedBy('team'))
    await (await client.register(taggedInstance('f', 'free', 'bob'))).release()
    await first.release()
    await rejects(other.register(taggedInstance('c', 'team', 'mallory')), ownedBy('team'))
    await second.release()
    await other.register(taggedInstance('c', 'team', 'mallory'))
    await world.pass(world.settleMs)
    deepEqual(candidatesOf(client.index(SERVICE)), ['c'])
  },
}

import assert from 'node:assert/strict'
import { currentWaybill, type KitOptions } from '@waybill/core'
import type { Inbound } from '@waybill/core/adapter'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { factsHere, type FactsHere } from '../../stage/facts-here.js'
import { withInbound } from '../../stage/inbound-stage.js'
import type { Sending } from '../../wire/near-client.js'

interface Arriving extends Sending {
  readonly title: string
  readonly inbound?: Inbound
  readonly kit?: KitOptions
  readonly read: FactsHere
}

const WRITTEN = [
  ['clk', 'alice'],
  ['x-shard-key', 'k%C3%A4se%201'],
  ['x-hop-count', '1'],
  ['x-target-unit', 'sz'],
  ['baggage', 'clk=alice,shard-key=k%C3%A4se%201,hop-count=1,target-unit=sz,waybill-depth=2'],
] as const
const NEVER_SAID_IN_PRODUCTION = {
  environment: 'production',
  trust: { inbound: 'peer', peers: ['127.0.0.1'] },
} as const

const ARRIVING: readonly Arriving[] = [
  {
    title: 'from a default peer, all but the target unit',
    headers: WRITTEN,
    read: { clk: 'alice', shardKey: 'käse 1', hopCount: 1, depth: 2 },
  },
  {
    title: 'from a default peer, with a body',
    method: 'POST',
    body: ['some ', 'text'],
    headers: WRITTEN,
    read: { clk: 'alice', shardKey: 'käse 1', hopCount: 1, depth: 2 },
  },
  {
    title: 'from a listed peer, the target unit too',
    kit: { trust: { peers: ['127.0.0.1'] } },
    headers: WRITTEN,
    read: { clk: 'alice', shardKey: 'käse 1', hopCount: 1, targetUnit: 'sz', depth: 2 },
  },
  {
    title: 'baggage alone',
    headers: [['Baggage', 'vendor=1, clk=Alice;p=1 ,waybill-depth=7']],
    read: { clk: 'alice', depth: 7 },
  },
  { title: 'nothing, in a waybill of its own', headers: [], read: {} },
  {
    title: 'through somebody’s proxy, what ends a loop and no more',
    headers: [...WRITTEN, ['x-forwarded-for', '198.51.100.7']],
    read: { hopCount: 1, depth: 2 },
  },
  { title: 'at a public listener, nothing', inbound: 'public', headers: WRITTEN, read: {} },
  {
    title: 'at a listener of a public kit that is said to be a peer’s, what a peer says',
    kit: { trust: { inbound: 'public' } },
    inbound: 'peer',
    headers: [['clk', 'alice']],
    read: { clk: 'alice' },
  },
  { title: 'at an edge, the dedicated header', inbound: 'edge', headers: WRITTEN, read: { clk: 'alice' } },
  {
    title: 'at an edge that asks the cookie',
    inbound: 'edge',
    kit: { trust: { edgeFrom: ['cookie:clk'] } },
    headers: [['cookie', 'a=1; clk=alice']],
    read: { clk: 'alice' },
  },
  {
    title: 'at an edge that asks the query of a safe request',
    inbound: 'edge',
    kit: { trust: { edgeFrom: ['query:clk'] } },
    path: '/stock?clk=alice',
    read: { clk: 'alice' },
  },
  {
    title: 'at an edge that asks the query, nothing of an unsafe request',
    inbound: 'edge',
    kit: { trust: { edgeFrom: ['query:clk'] } },
    method: 'POST',
    path: '/stock?clk=alice',
    read: {},
  },
  {
    title: 'without anything of ours from this machine, the clk of the process',
    kit: { clks: 'me' },
    headers: [['x-mine', '1']],
    read: { clk: 'me' },
  },
  {
    title: 'an untagged call of a kit stays untagged at a process with a clk',
    kit: { clks: 'me' },
    headers: [['baggage', 'waybill-depth=1']],
    read: { depth: 1 },
  },
  {
    title: 'in production, all but the clk',
    kit: NEVER_SAID_IN_PRODUCTION,
    headers: WRITTEN,
    read: { shardKey: 'käse 1', hopCount: 1, targetUnit: 'sz', depth: 2 },
  },
]

export const carried: Law<'carried', InboundHalf> = {
  name: 'carried',
  title: 'what was set before the hop is read after it, and nothing that may not travel',
  async holds(half) {
    for (const { title, kit, inbound, read, ...sending } of ARRIVING) {
      let seen: FactsHere | undefined
      const setting = {
        ...(kit === undefined ? {} : { kit }),
        ...(inbound === undefined ? {} : { inbound }),
        handler(_request: unknown, response: { end(text: string): unknown }) {
          seen = factsHere()
          response.end('ok')
        },
      }
      await withInbound(half, setting, async (stage) => {
        const { status, text } = await stage.send(sending)
        assert.deepEqual({ status, text }, { status: 200, text: 'ok' }, title)
      })
      assert.deepEqual(seen, read, title)
    }
    await declaredFields(half)
  },
}

async function declaredFields(half: InboundHalf): Promise<void> {
  const fields = { lawTenant: { baggage: 'law-tenant' }, lawNote: {} }
  let seen: unknown
  const handler = (_request: unknown, response: { end(text: string): unknown }): void => {
    seen = [currentWaybill().field('lawTenant'), currentWaybill().field('lawNote')]
    response.end('ok')
  }
  await withInbound(half, { kit: { fields }, handler }, async (stage) => {
    await stage.send({ headers: [['baggage', 'law-tenant=acme,lawNote=secret,law-note=secret']] })
  })
  assert.deepEqual(seen, ['acme', undefined], 'a declared field travels, a local one does not')
}

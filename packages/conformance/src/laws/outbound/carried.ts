import assert from 'node:assert/strict'
import { expectCarried, withWaybill, type WaybillFields } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound, type OutboundStage } from '../../stage/outbound-stage.js'
import { farServer, type Answer, type Heard } from '../../wire/far-server.js'
import { namesOfOurs } from '../../wire/names-of-ours.js'

const FIELDS = { lawTenant: { baggage: 'law-tenant' }, lawNote: {} }
const TAGGED: WaybillFields = {
  clk: 'alice',
  shardKey: 'käse 1',
  hopCount: 1,
  targetUnit: 'sz',
  depth: 2,
  fields: { lawTenant: 'acme', lawNote: 'secret' },
}

const WRITTEN_HEADERS = ['clk', 'x-shard-key', 'x-hop-count', 'x-target-unit']
const WRITTEN_MEMBERS = ['clk', 'shard-key', 'hop-count', 'target-unit', 'waybill-depth', 'law-tenant']

export const carried: Law<'carried', OutboundHalf> = {
  name: 'carried',
  title: 'what was set before the hop is read after it, and nothing that may not travel',
  async holds(half) {
    await withOutbound(half, { kit: { fields: FIELDS } }, async (stage) => {
      await toTheFleet(stage)
      await outOfTheFleet(stage)
    })
    await fromAProcessWithAClk(half)
    await alongRedirects(half)
  },
}

async function toTheFleet({ call, far }: OutboundStage): Promise<void> {
  for (const request of [{}, { method: 'POST', body: 'text' }] as const) {
    await withWaybill(TAGGED, () => call(request))
    const heard = last(far.heard)
    const { clk, shardKey, hopCount, targetUnit, depth } = expectCarried(recordOf(heard), {})
    assert.deepEqual(
      { clk, shardKey, hopCount, targetUnit, depth },
      { clk: 'alice', shardKey: 'käse 1', hopCount: 1, targetUnit: 'sz', depth: 3 },
      'a tagged call bears its waybill, one call deeper',
    )
    assert.deepEqual(
      namesOfOurs(heard),
      [...WRITTEN_HEADERS, ...WRITTEN_MEMBERS],
      'every fact has its header and its member, a declared field its member, each once',
    )
    assert.ok(!heard.rawHeaders.join().includes('secret'), 'a local field does not travel')
    assert.equal(heard.body, 'body' in request ? request.body : '', 'the body arrives')
  }
  await withWaybill({}, () => call())
  assert.deepEqual(namesOfOurs(last(far.heard)), ['waybill-depth'], 'an untagged call bears its depth alone')
  await call()
  assert.deepEqual(namesOfOurs(last(far.heard)), ['waybill-depth'], 'a call in no scope is a root')
}

async function outOfTheFleet({ call }: OutboundStage): Promise<void> {
  const stranger = await farServer()
  try {
    await withWaybill(TAGGED, () => call({ url: `${stranger.origin}/` }))
    assert.deepEqual(namesOfOurs(last(stranger.heard)), [], 'a host that is no service gets no waybill')
  } finally {
    await stranger.close()
  }
}

async function fromAProcessWithAClk(half: OutboundHalf): Promise<void> {
  await withOutbound(half, { kit: { clks: 'me' } }, async ({ call, far }) => {
    await call()
    assert.deepEqual(last(far.heard).lines('clk'), ['me'], 'a call in no scope bears the clk of the process')
    await withWaybill({}, () => call())
    assert.deepEqual(last(far.heard).lines('clk'), [], 'a call of an untagged request stays untagged')
  })
}

/** A client that follows redirects copies the first request's headers; one that does not hands the 307 to its caller. */
async function alongRedirects(half: OutboundHalf): Promise<void> {
  // Once a chain has left the fleet, its later hops carry nothing, even back inside it.
  const stranger = await farServer(({ url }, response) => {
    const back = new URLSearchParams(url.split('?')[1]).get('back')
    return back === null ? response.end('ok') : response.writeHead(307, { location: back }).end()
  })
  const answer: Answer = ({ url, lines }, response) => {
    const back = encodeURIComponent(`http://${lines('host').join()}/back`)
    const to = new Map([
      ['/in', '/there'],
      ['/out', `${stranger.origin}/`],
      ['/out-and-back', `${stranger.origin}/?back=${back}`],
    ]).get(url)
    return to === undefined ? response.end('ok') : response.writeHead(307, { location: to }).end()
  }
  try {
    await withOutbound(half, { answer }, async ({ call, far }) => {
      for (const path of ['/in', '/out', '/out-and-back']) {
        await withWaybill({ clk: 'alice' }, () =>
          call({ url: `${far.origin}${path}`, headers: { clk: 'mallory', 'x-mine': '1' } }),
        )
      }
      for (const heard of stranger.heard) {
        assert.deepEqual(namesOfOurs(heard), [], 'a redirect carries nothing out of the fleet')
      }
      for (const heard of far.heard) {
        if (heard.url === '/back') {
          assert.deepEqual(namesOfOurs(heard), [], 'a chain that has left carries nothing')
        } else assert.deepEqual(heard.lines('clk'), ['alice'], 'a redirect in the fleet carries the waybill')
      }
    })
  } finally {
    await stranger.close()
  }
}

function last(heard: readonly Heard[]): Heard {
  const one = heard.at(-1)
  assert.ok(one, 'the call arrives')
  return one
}

/** Lines that came twice stay two, so that a reader finds them ambiguous. */
function recordOf(heard: Heard): Record<string, readonly string[]> {
  const names = heard.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  return Object.fromEntries([...new Set(names)].map((name) => [name, heard.lines(name)]))
}

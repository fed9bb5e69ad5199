import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Answer } from './ask.js'
import { StartFailed, type RunningService } from './process-group.js'
import { curl, scene, unless, type Scene } from './scene.js'
import { aliceInventory, openShop, type Shop } from './shop.js'
import { staleCaller } from './stale-caller.js'
import { readWay, wayLine } from './way.js'

const BASELINE = 'order=@az-ci(inventory=@az-ci payment=@az-ci shipping=)'
const ALICE = 'order=@az-ci(inventory=alice payment=@az-ci shipping=)'
const BOB = 'order=@az-ci(inventory=@az-ci payment=bob shipping=)'
const TEAM = 'order=@az-ci(inventory=@az-ci payment=team.* shipping=)'
const HOLD_MS = 4_000
const MANY = 3_000

/** Plays the story on real processes, scene by scene, and leaves none of them behind. */
export async function* tellStory(): AsyncGenerator<Scene> {
  const shop = await openShop()
  try {
    const untagged = watchUntagged(shop)
    yield* choices(shop)
    yield* crowds(shop)
    yield* refusals(shop)
    yield* alicesDay(shop)
    yield untagged.stop()
  } finally {
    await shop.close()
  }
}

/** Who serves which tag. */
async function* choices({ web }: Shop): AsyncGenerator<Scene> {
  const buy = `${web.url}/buy/42`
  yield scene('No tag: the shared zone serves everything', `curl ${buy}`, await ask(buy), BASELINE)
  yield tagged('clk: alice: her inventory serves, the shared zone does the rest', buy, 'alice', ALICE)
  yield tagged('clk: bob: his payment serves; he has no inventory, so the shared one does', buy, 'bob', BOB)
  const cookie = await ask(buy, { cookie: 'theme=dark; clk=alice' })
  yield scene('The same tag from a cookie, as a browser sends it', `curl -b clk=alice ${buy}`, cookie, ALICE)
  yield tagged(
    'clk: team.alice: payment is announced as team.*, which serves every tag below it',
    buy,
    'team.alice',
    TEAM,
  )
  yield tagged(
    'clk: nobody: an unknown tag is served by the shared zone, never by somebody else',
    buy,
    'nobody',
    BASELINE,
  )
  const invalid = await ask(buy, { clk: 'al ice!' })
  yield scene(
    'clk: al ice!: no valid tag, so the request counts as untagged, and the reply says so',
    curl(buy, 'al ice!'),
    invalid,
    `-= ${BASELINE}`,
  )
}

async function tagged(title: string, url: string, clk: string, expected: string): Promise<Scene> {
  return scene(title, curl(url, clk), await ask(url, { clk }), expected)
}

/** Many at once never mix. */
async function* crowds({ web }: Shop): AsyncGenerator<Scene> {
  const buy = `${web.url}/buy/42`
  const [a, b] = await Promise.all([ask(buy, { clk: 'alice' }), ask(buy, { clk: 'bob' })])
  yield scene('Alice and Bob at the same moment: hers', curl(buy, 'alice'), a, ALICE)
  yield scene('Alice and Bob at the same moment: his', curl(buy, 'bob'), b, BOB)

  const stock = `${web.url}/stock/42`
  const kinds = [
    { headers: { clk: 'alice' }, expected: 'order=@az-ci(inventory=alice)', clk: 'alice' },
    { headers: {}, expected: 'order=@az-ci(inventory=@az-ci)', clk: null },
    { headers: { clk: 'bob' }, expected: 'order=@az-ci(inventory=@az-ci)', clk: 'bob' },
  ] as const
  const wrong: string[] = []
  await Promise.all(
    Array.from({ length: MANY }, async (_, index) => {
      const kind = kinds[index % kinds.length] ?? kinds[0]
      const answer = await ask(stock, kind.headers)
      const line = wayLine(readWay(answer.route))
      const { clk } = (answer.body as { stock?: { clk?: string | null } }).stock ?? {}
      if (line !== kind.expected || clk !== kind.clk) {
        wrong.push(`request ${String(index)} went ${line} with clk ${String(clk)}, expected ${kind.expected}`)
      }
    }),
  )
  yield {
    title: `${MANY.toLocaleString('en')} requests interleaved, of Alice, of Bob and of nobody`,
    action: `GET ${stock}, 32 at a time`,
    way: [],
    seen: [
      `${(MANY - wrong.length).toLocaleString('en')} of ${MANY.toLocaleString('en')} went the right way`,
    ],
    wrong: wrong.slice(0, 5),
  }
}

/** What is not served is refused with a reason. */
async function* refusals(shop: Shop): AsyncGenerator<Scene> {
  const discount = `${shop.web.url}/discounts/spring`
  const open = await ask(discount)
  yield scene('No tag, and coupon is called', `curl ${discount}`, open, 'order=@az-ci(coupon=@az-ci)')
  const strict = await ask(discount, { clk: 'alice' })
  const refused = scene(
    'clk: alice: order lists coupon with policy strict, and Alice has none',
    curl(discount, 'alice'),
    strict,
    'order=@az-ci(coupon=)',
    503,
  )
  const { code, reason } = strict.body as { code?: string; reason?: string }
  yield {
    ...refused,
    wrong: [
      ...refused.wrong,
      ...unless(code === 'ERR_WAYBILL_NO_PROVIDER', `code ${String(code)}`),
      ...unless(reason === 'STRICT_NO_MATCH', `reason ${String(reason)}`),
    ],
  }

  const direct = `${shop.alice.url}/stock/42`
  const own = await ask(direct)
  const { clk } = own.body as { clk?: string }
  yield {
    title: "Alice's port asked directly, without a tag: on her machine that means her own",
    action: `curl ${direct}`,
    way: [],
    seen: [`served with clk ${String(clk)}`],
    wrong: unless(own.status === 200 && clk === 'alice', `status ${String(own.status)}, clk ${String(clk)}`),
  }

  const stale = await staleCaller(shop.alice.url, shop.inventory.url)
  const status = await stale.call()
  await stale.close()
  const misdirected = await ask(direct, { baggage: 'waybill-depth=1' })
  yield {
    title:
      "An untagged call that still holds Alice's address: she refuses it, and the caller goes on to the shared zone",
    action: `a service whose registry is out of date calls http://inventory/stock/42`,
    way: [],
    seen: [
      `Alice answers ${String(misdirected.status)}, the caller gets ${String(status)} from the shared zone`,
    ],
    wrong: [
      ...unless(misdirected.status === 421, `Alice answered ${String(misdirected.status)}, expected 421`),
      ...unless(status === 200, `the caller got ${String(status)}, expected 200`),
    ],
  }
  yield refusedOwner(await secondOwner(shop))
}

/** Somebody else starts inventory with Alice's tag: the service, or what it printed. */
async function secondOwner(shop: Shop): Promise<RunningService | string> {
  try {
    return await shop.start(aliceInventory('mallory@laptop'))
  } catch (error) {
    if (error instanceof StartFailed) return error.output
    throw error
  }
}

const SECOND_OWNER = 'WAYBILL_OWNER=mallory@laptop WAYBILL_CLK=alice node dist/inventory.js'

function refusedOwner(outcome: RunningService | string): Scene {
  const said = typeof outcome === 'string' ? (/ERR_WAYBILL_TAG_OWNED/.exec(outcome) ?? [''])[0] : ''
  const named = typeof outcome === 'string' && outcome.includes('alice@laptop')
  const line = typeof outcome === 'string' ? (/^\w*Error: .*$/m.exec(outcome)?.[0] ?? outcome) : ''
  return {
    title: 'A second owner starts with the tag alice while she lives: refused, and told by whom',
    action: SECOND_OWNER,
    way: [],
    seen: [line.trim()],
    wrong: unless(said !== '' && named, typeof outcome === 'string' ? outcome : 'it started'),
  }
}

/** A breakpoint, a crash, and a tag that becomes free. */
async function* alicesDay(shop: Shop): AsyncGenerator<Scene> {
  const stock = `${shop.web.url}/stock/42`
  const HERS = 'order=@az-ci(inventory=alice)'
  shop.alice.hold(HOLD_MS)
  await sleep(1_000)
  const held = await ask(stock, { clk: 'alice' })
  const heldScene = scene(
    `Alice stands at a breakpoint for ${String(HOLD_MS / 1000)} s: she keeps her place, the call waits`,
    curl(stock, 'alice'),
    held,
    HERS,
  )
  yield {
    ...heldScene,
    seen: [`answered after ${(held.tookMs / 1000).toFixed(1)} s`],
    wrong: [...heldScene.wrong, ...unless(held.tookMs > HOLD_MS / 2, 'it did not wait')],
  }

  const inFlight = ask(`${stock}?slowMs=10000`, { clk: 'alice' })
  await sleep(2_000)
  await shop.alice.kill()
  const cut = await inFlight
  yield scene(
    'Her process is killed with a call in flight: that call fails, as hers, since she may have done the work',
    `kill -9 …; ${curl(stock, 'alice')}`,
    cut,
    HERS,
    502,
  )

  const notes = new Set<string>()
  const wrong: string[] = []
  let last: Answer | undefined
  for (let index = 0; index < 20; index++) {
    last = await ask(stock, { clk: 'alice' })
    const way = readWay(last.route)
    for (const note of way[0]?.next[0]?.notes ?? []) notes.add(note)
    if (wayLine(way) !== 'order=@az-ci(inventory=@az-ci)')
      wrong.push(`call ${String(index)} went ${wayLine(way)}`)
  }
  yield {
    title: 'Every later call of hers is served by the shared zone',
    action: curl(stock, 'alice'),
    way: readWay(last?.route ?? ''),
    seen:
      notes.size > 0
        ? [`noted: ${[...notes].join(', ')}`]
        : ['no note: her tag is announced by nobody any more'],
    wrong,
  }
  const second = await secondOwner(shop)
  yield {
    title: 'The second owner again: the tag is free now',
    action: SECOND_OWNER,
    way: [],
    seen: [typeof second === 'string' ? second : `${second.owner} serves alice at ${second.url}`],
    wrong: unless(typeof second !== 'string', 'refused'),
  }
}

/** Untagged traffic beside all of this. */
function watchUntagged({ web }: Shop): { stop(): Promise<Scene> } {
  const wrong: string[] = []
  let count = 0
  let going = true
  const loop = (async () => {
    while (going) {
      const answer = await ask(`${web.url}/buy/7`)
      const line = wayLine(readWay(answer.route))
      count++
      if (line !== BASELINE || answer.status !== 200)
        wrong.push(`request ${String(count)}: ${String(answer.status)} ${line}`)
      await sleep(50)
    }
  })()
  return {
    async stop() {
      going = false
      await loop
      return {
        title: 'The untagged traffic of all that time: nothing changed for it',
        action: `curl ${web.url}/buy/7, again and again`,
        way: [],
        seen: [`${String(count - wrong.length)} of ${String(count)} were served by the shared zone alone`],
        wrong: wrong.slice(0, 5),
      }
    },
  }
}

import type { Notice } from '../notice.js'
import { ask } from './ask.js'
import { openKafkaShop, type KafkaShop } from './kafka-shop.js'
import { NoticeReader } from './notices.js'
import { StartFailed, type ServiceStart } from './process-group.js'
import { curl, scene, unless, type Scene } from './scene.js'
import { readWay, wayLine } from './way.js'

/** A kind of request, and whose machine has to serve `inventory` for it. */
interface Customer {
  readonly name: string
  readonly clk: string | null
  readonly inventory: string
}

const ALICE: Customer = { name: 'Alice', clk: 'alice', inventory: 'alice' }
const NOBODY: Customer = { name: 'nobody', clk: null, inventory: 'az-ci' }
const CUSTOMERS: readonly Customer[] = [
  ALICE,
  { name: 'Bob', clk: 'bob', inventory: 'bob' },
  { name: 'Carol', clk: 'carol', inventory: 'az-ci' },
  NOBODY,
]
const MANY = 10_000

/**
 * Plays the story of one tag over Kafka on real processes, and leaves none of them behind.
 * @param progress is handed a line now and then, while the many are on their way.
 */
export async function* tellKafkaStory(
  brokers: readonly string[],
  progress: (line: string) => void,
): AsyncGenerator<Scene> {
  const shop = await openKafkaShop(brokers)
  try {
    const notices = new NoticeReader(shop.notification)
    yield await oneOrder(shop, notices, NOBODY, 'No tag: the shared zone serves on the whole way')
    yield await oneOrder(
      shop,
      notices,
      ALICE,
      'clk: alice: kept over Kafka, in the batch and in the worker thread; her inventory serves there too',
    )
    yield await manyOrders(shop, notices, progress)
    yield await unasked(shop)
    yield await ownGroup(shop, notices)
  } finally {
    await shop.close()
  }
}

const headersOf = ({ clk }: Customer): Record<string, string> => (clk === null ? {} : { clk })

/** The way of an order until it is told to Kafka. */
const wayOf = ({ inventory }: Customer): string =>
  `order=@az-ci(inventory=${inventory === 'az-ci' ? '@az-ci' : inventory} payment=@az-ci shipping=)`

async function oneOrder(
  { web }: KafkaShop,
  notices: NoticeReader,
  customer: Customer,
  title: string,
): Promise<Scene> {
  const buy = `${web.url}/buy/42`
  const action = customer.clk === null ? `curl ${buy}` : curl(buy, customer.clk)
  const ordered = scene(title, action, await ask(buy, headersOf(customer)), wayOf(customer))
  const [notice] = await notices.next(1)
  return {
    ...ordered,
    seen: notice === undefined ? [] : describe(notice),
    wrong: [...ordered.wrong, ...(notice === undefined ? ['no notice came'] : mixedUp(notice, customer))],
  }
}

/** One line for each station behind `order`. */
function describe({ message, baggage, clk, batchSize, letter }: Notice): string[] {
  const station = (name: string, tag: string | null, more: string): string =>
    `${name.padEnd(14)}${`clk ${tag ?? '-'}`.padEnd(11)}${more}`
  return [
    `Kafka         ${message}, baggage: ${baggage}`,
    station('notification', clk, `in a batch of ${String(batchSize)}`),
    station('worker', letter.clk, `thread ${String(letter.thread)}`),
    station('inventory', letter.inventory.clk, `served by ${letter.inventory.servedBy}`),
  ]
}

/** Each station of an order's way that saw another tag than its customer's, or served for somebody else. */
function mixedUp({ item, clk, letter }: Notice, customer: Customer): string[] {
  const { inventory } = letter
  const saw = (station: string, tag: string | null): string[] =>
    unless(
      tag === customer.clk,
      `${station} saw clk ${String(tag)} for ${item} of ${customer.name}, expected ${String(customer.clk)}`,
    )
  return [
    ...saw('notification', clk),
    ...saw('the worker', letter.clk),
    ...saw('inventory', inventory.clk),
    ...unless(
      inventory.servedBy === customer.inventory,
      `${inventory.servedBy} served ${item} of ${customer.name}, expected ${customer.inventory}`,
    ),
  ]
}

/** Many at once never mix, and none is missing. */
async function manyOrders(
  { web }: KafkaShop,
  reader: NoticeReader,
  progress: (line: string) => void,
): Promise<Scene> {
  const customers = new Map(
    Array.from({ length: MANY }, (_, index) => [
      `item-${String(index)}`,
      CUSTOMERS[index % CUSTOMERS.length] ?? NOBODY,
    ]),
  )
  let told = 0
  const reading = reader.next(MANY, (handled) => {
    if (handled - told < MANY / 5) return
    told = handled
    progress(`${count(handled)} of ${count(MANY)} preorders handled …`)
  })
  const answered = await Promise.all(
    Array.from(customers, async ([item, customer]) => {
      const { status, route } = await ask(`${web.url}/preorder/${item}`, headersOf(customer))
      const line = wayLine(readWay(route))
      return unless(status === 200 && line === 'order=@az-ci', `${item}: ${String(status)} ${line}`)
    }),
  )
  const notices = await reading
  const seen = new Map<string, Notice>()
  const mixed: string[] = []
  for (const notice of notices) {
    const customer = customers.get(notice.item)
    mixed.push(...(customer === undefined ? [`${notice.item} is nobody's`] : mixedUp(notice, customer)))
    seen.set(notice.item, notice)
  }
  const missing = [...customers.keys()].filter((item) => !seen.has(item))
  return {
    title: `${count(MANY)} preorders interleaved, of Alice, of Bob, of Carol who runs nothing, and of nobody`,
    action: `GET ${web.url}/preorder/item-…, 32 at a time`,
    way: [],
    seen: [
      ...CUSTOMERS.map((customer) => tally(customer, customers, seen)),
      `${count(mixed.length)} mixed, ${count(missing.length)} missing, ${count(notices.length - seen.size)} delivered twice`,
      hands(notices),
    ],
    wrong: [...answered.flat(), ...mixed, ...missing.map((item) => `${item} is missing`)].slice(0, 5),
  }
}

const count = (number: number): string => number.toLocaleString('en')

function tally(
  customer: Customer,
  customers: ReadonlyMap<string, Customer>,
  seen: ReadonlyMap<string, Notice>,
): string {
  const items = [...customers].filter(([, whose]) => whose === customer).map(([item]) => item)
  const right = items.filter((item) => {
    const notice = seen.get(item)
    return notice !== undefined && mixedUp(notice, customer).length === 0
  })
  const tag = customer.clk === null ? 'untagged' : `clk ${customer.clk}`
  return `${tag.padEnd(11)}${count(right.length)} of ${count(items.length)} in notification, worker and inventory, served by ${customer.inventory}`
}

/** By whom they were handled. */
function hands(notices: readonly Notice[]): string {
  const threads = new Set(notices.map(({ letter }) => letter.thread)).size
  const largest = Math.max(0, ...notices.map(({ batchSize }) => batchSize))
  return `in batches of up to ${count(largest)}, by ${String(threads)} worker threads`
}

const aliceNotification = (env: Readonly<Record<string, string>>): ServiceStart => ({
  service: 'notification',
  owner: 'alice@laptop',
  env: { WAYBILL_CLK: 'alice', ...env },
})

/** A laptop that joined the baseline's group would take partitions away from it. */
async function unasked(shop: KafkaShop): Promise<Scene> {
  let output = 'it started'
  try {
    await shop.start(aliceNotification({}))
  } catch (error) {
    if (!(error instanceof StartFailed)) throw error
    output = error.output
  }
  const line = /^\w*Error: .*$/m.exec(output)?.[0] ?? output
  return {
    title: 'Alice starts notification as it is: it does not join the group of the shared zone unasked',
    action: 'WAYBILL_CLK=alice node dist/notification.js',
    way: [],
    seen: [line],
    wrong: [
      ...unless(line.includes('ERR_WAYBILL_SHARED_GROUP'), output),
      ...unless(line.includes("group: 'own'"), 'the line to add is not named'),
    ],
  }
}

/** With a group of its own, her process handles what bears her tag, and passes over the rest. */
async function ownGroup(shop: KafkaShop, baseline: NoticeReader): Promise<Scene> {
  const hers = await shop.start(aliceNotification({ CONSUMER_GROUP: 'own' }))
  const reader = new NoticeReader(hers)
  // One item is one partition, so that hers, the last, comes when the others have been passed over.
  const buy = `${shop.web.url}/buy/own`
  for (const clk of ['bob', null, 'alice']) await ask(buy, clk === null ? {} : { clk })
  const handled = (await reader.next(1)).map(({ clk }) => clk ?? 'untagged')
  const shared = (await baseline.next(3)).map(({ clk }) => clk ?? 'untagged')
  const event = /^own-group: .*$/m.exec(hers.printed())?.[0]
  return {
    title: "With group: 'own' she handles what bears her tag, and passes over the rest",
    action:
      "WAYBILL_CLK=alice node dist/notification.js, with group: 'own'; then orders of Bob, of nobody, of Alice",
    way: [],
    seen: [
      `Alice handled ${handled.join(', ')}; the shared zone handled ${shared.join(', ')}`,
      ...(event === undefined ? [] : [event]),
    ],
    wrong: [
      ...unless(handled.join() === 'alice', `Alice handled ${handled.join()}, expected alice`),
      ...unless(shared.join() === 'bob,untagged,alice', `the shared zone handled ${shared.join()}`),
      ...unless(event !== undefined, 'no event said what her group means'),
    ],
  }
}

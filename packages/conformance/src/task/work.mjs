// What a worker of the suite does. It runs in threads and processes that know nothing of the suite, so it finds the
// kit's builds there, as an application's worker would.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createKit, tryCurrentWaybill } from '@waybill/core'
import { performCall, threadKit } from '@waybill/core/adapter'

const clkHere = () => {
  const waybill = tryCurrentWaybill()
  return waybill === undefined ? 'none' : (waybill.clk ?? 'untagged')
}

const facts = () => {
  const waybill = tryCurrentWaybill()
  if (waybill === undefined) return 'none'
  const { clk, shardKey, hopCount, targetUnit, depth } = waybill
  return { clk, shardKey, hopCount, targetUnit, depth }
}

/** The headers that a call of the worker would bear, without a socket. */
const call = async (_task, inSuite) => {
  // A prepared worker knows its kit's facts from the process that started it.
  const kit = inSuite ? createKit({ service: 'near', environment: 'test', clks: [] }) : threadKit()
  const outgoing = {
    kind: 'http',
    url: new URL('http://far/'),
    method: 'GET',
    headers: () => undefined,
    body: 'none',
    idempotent: true,
  }
  const { value } = await performCall(kit, outgoing, (_call, { set }) =>
    Promise.resolve({ header: () => undefined, value: set, done: Promise.resolve() }),
  )
  return value
}

/** The tags that a task sees which waits in several ways, neighbours differently long. */
const seen = async ({ turn }) => {
  const clks = [clkHere()]
  await setTimeout(turn % 7)
  clks.push(clkHere())
  await setImmediate()
  clks.push(clkHere())
  return clks
}

const WORK = {
  facts,
  call,
  seen,
  echo: ({ value }) => ({ value, clk: clkHere() }),
  bytes: ({ buffer }) => ({ bytes: [...new Uint8Array(buffer)], clk: clkHere() }),
  fail: ({ message }) => Promise.reject(new RangeError(message)),
  die: (_task, inSuite) => (inSuite ? Promise.reject(new Error('dead')) : process.exit(7)),
}

/**
 * @param {{ do: keyof typeof WORK }} task what is to be done; anything else comes back as it is
 * @param {unknown} where `suite` in the suite's own process, where its doubles work
 */
export default async (task, where) => {
  const work = typeof task === 'object' && task !== null ? WORK[task.do] : undefined
  return work === undefined ? { task, clk: clkHere() } : work(task, where === 'suite')
}

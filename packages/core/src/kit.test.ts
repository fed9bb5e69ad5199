import { expect, test } from 'vitest'
import { createKit, currentWaybill, runWithWaybill } from './index.js'
import { expectCarried, memoryHop, recordEvents, withWaybill } from './testing.js'

const order = createKit({ service: 'order', environment: 'test' })
const inventory = createKit({ service: 'inventory', environment: 'test' })

test('S2-1 what was set before the hop is read after it', async () => {
  const hop = memoryHop(order, {
    kit: inventory,
    handler: () => {
      const { clk, shardKey, hopCount, depth } = currentWaybill()
      return { clk, shardKey, hopCount, depth }
    },
  })
  const reply = await withWaybill({ clk: 'alice', shardKey: '泳道', hopCount: 1, depth: 3 }, () =>
    hop({ url: 'http://inventory/stock/42' }),
  )
  expect(reply.value).toEqual({ clk: 'alice', shardKey: '泳道', hopCount: 1, depth: 4 })
})

test('a call outside of any request is sent with the headers that the caller put on it', async () => {
  const hop = memoryHop(order, { kit: inventory, handler: (headers) => headers })
  const reply = await hop({ url: 'http://inventory/', headers: { clk: 'me', 'x-own': '1', baggage: 'a=1' } })
  expect(reply.value).toEqual({ clk: 'me', 'x-own': '1', baggage: 'clk=me,waybill-depth=1,a=1' })
})

test('the waybill wins over names of ours on a call inside a request, and says so', async () => {
  const events = recordEvents(['conflict'])
  const hop = memoryHop(order, { kit: inventory, handler: (headers) => headers })
  const reply = await withWaybill({ clk: 'alice' }, () =>
    hop({ url: 'http://inventory/', headers: { clk: 'mallory', baggage: 'a=1,%63lk=mallory' } }),
  )
  events.stop()
  expect(reply.value).toEqual({ clk: 'alice', baggage: 'clk=alice,waybill-depth=1,a=1' })
  withWaybill({ clk: 'alice' }, () => expectCarried(reply.value))
  expect(events.of('conflict').map((event) => event.field)).toEqual(['clk', 'clk'])
})

test('a host outside of the fleet gets nothing of ours', async () => {
  const hop = memoryHop(order, { kit: inventory, handler: (headers) => headers })
  const reply = await withWaybill({ clk: 'alice' }, () =>
    hop({
      url: 'http://api.example.com/',
      headers: { clk: 'alice', baggage: 'a=1, clk=alice', 'x-own': '1' },
    }),
  )
  expect(reply.value).toEqual({ baggage: 'a=1', 'x-own': '1' })
})

test('another tag is chosen by with()', async () => {
  const hop = memoryHop(order, { kit: inventory, handler: () => currentWaybill().clk })
  const reply = await withWaybill({ clk: 'alice' }, () =>
    runWithWaybill(currentWaybill().with({ clk: 'Bob ' }), () => hop({ url: 'http://inventory/' })),
  )
  expect(reply.value).toBe('bob')
})

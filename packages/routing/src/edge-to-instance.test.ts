import { createKit } from '@waybill/core'
import { memoryHop, recordEvents } from '@waybill/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import { testKit } from './testing.js'

test('routing-20 a tag that nobody announces, taken from a cookie: the baseline serves, and the source is told', async () => {
  const events = recordEvents(['adopted', 'selected'])
  onTestFinished(() => events.stop())
  const web = testKit({
    service: 'web',
    instances: [{ service: 'inventory', id: 'v1.0', host: '127.0.0.1', port: 4000, zone: 'az-ci' }],
    trust: { inbound: 'edge', edgeFrom: ['cookie:clk'] },
  })
  const inventory = createKit({ service: 'inventory', environment: 'test' })
  const toInventory = memoryHop(web, { kit: inventory, handler: () => 'served' })
  const toWeb = memoryHop(createKit({ service: 'browser', environment: 'test' }), {
    kit: web,
    handler: async () => (await toInventory({ url: 'http://inventory/' })).value,
  })

  const reply = await toWeb({ url: 'http://shop.example.com/', headers: { cookie: 'clk=v1.1' } })

  expect(reply.value).toBe('served')
  expect(events.of('adopted')[0]).toMatchObject({ source: 'cookie', clk: 'v1.1' })
  expect(events.of('selected')).toMatchObject([{ clk: 'v1.1', reason: 'BASELINE_ZONE', instance: 'v1.0' }])
})

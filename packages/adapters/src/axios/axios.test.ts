import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import axios from 'axios'
import { createKit, type Kit } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { axiosWaybill } from './index.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
async function listen(handler: (req: IncomingMessage, res: ServerResponse) => void): Promise<number> {
  const server = createServer(handler)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}
function routed(ports: Record<string, number>): Kit {
  const toTargets: Interceptor = (next) => (call) => {
    const port = ports[call.service?.name ?? '']
    return next(
      port === undefined
        ? call
        : { ...call, target: { host: '127.0.0.1', port, tls: false, connectMs: 1000 } },
    )
  }
  return createKit({ service: 'order', environment: 'test', interceptors: [toTargets] })
}
test('smoke', async () => {
  const port = await listen((req, res) => res.end(JSON.stringify(req.headers)))
  const kit = routed({ inventory: port })
  const http = axiosWaybill(kit, axios.create())
  const reply = await withWaybill({ clk: 'alice' }, () => http.get('http://inventory/stock'))
  expect(reply.data).toEqual({})
})

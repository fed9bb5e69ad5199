import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Facts } from '@waybill/core'

/**
 * Says where a service listens, for whoever started it; and what its callers must agree with to find it.
 * @param facts of its kit, where it has one.
 */
export async function listening(service: string, server: Server, facts?: Facts): Promise<void> {
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const said = facts === undefined ? '' : ` (${describe(facts)})`
  console.log(`${service} listens on http://127.0.0.1:${String(port)}${said}`)
}

function describe({ clks, zone, environment, registry }: Facts): string {
  const place = clks.length > 0 ? `clk ${clks.join(',')}` : `zone ${zone ?? 'none'}`
  return `${place}, environment ${environment}, registry ${registry ?? 'none'}`
}

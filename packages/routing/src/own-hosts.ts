import { hostname, networkInterfaces } from 'node:os'
import { parseHost } from './address.js'

/** Under which names and addresses this machine is registered, as far as it knows. */
export function ownHosts(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  )
  const hosts = new Set<string>()
  for (const text of ['localhost', hostname(), ...addresses]) {
    const parsed = parseHost(text)
    if ('host' in parsed) hosts.add(parsed.host)
  }
  return hosts
}

import { networkInterfaces } from 'node:os'
import type { NetworkInterfaceInfo } from 'node:os'

/** The interfaces of a machine, as `os.networkInterfaces()`. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/**
 * Interfaces that lead to a part of this machine (containers, virtual machines) or into a tunnel: others cannot call
 * an address there, or only while it stands. By name, as the systems and tools give them.
 */
export const NOT_ELIGIBLE: RegExp =
  /^(?:docker|br-|bridge|virbr|veth|cni|flannel|cali|podman|lxc|lxd|vmnet|vboxnet|tun|tap|utun|wg|ppp|ipsec|zt|tailscale|awdl|llw|anpi|gif|stf)/

/** Addresses under which others may call this machine: not loopback, not link-local, not of a bridge or tunnel. */
export function eligibleAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const eligible: NetworkInterfaceInfo[] = []
  for (const [name, addresses] of Object.entries(interfaces)) {
    if (NOT_ELIGIBLE.test(name)) continue
    eligible.push(...(addresses ?? []).filter(({ internal, address }) => !internal && !isLinkLocal(address)))
  }
  // A machine usually has both families on one interface; one of them is enough, and every caller speaks IPv4.
  const v4 = eligible.filter(({ family }) => family === 'IPv4')
  return [...new Set((v4.length > 0 ? v4 : eligible).map(({ address }) => address))]
}

/** True for what a server listens on that listens everywhere. */
export function isAnyAddress(address: string): boolean {
  return address === '::' || address === '0.0.0.0'
}

const isLinkLocal = (address: string): boolean => address.startsWith('169.254.') || /^fe[89ab]/i.test(address)

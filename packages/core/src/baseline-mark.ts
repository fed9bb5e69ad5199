import { networkInterfaces } from 'node:os'
import type { Facts } from './facts.js'

/**
 * What the baseline mark of a process is worth on this machine. `elsewhere`: the mark names an address, and this machine does
 * not have it, so the process is to be refused what the mark would allow.
 */
type BaselineMark = 'none' | 'here' | 'elsewhere'

type Interfaces = Readonly<Record<string, readonly { readonly address: string }[] | undefined>>

/** Judges the mark. Tools copy a pod's environment to laptops; that is why a mark may name the address that it is meant for. */
export function baselineMark(
  { baseline, baselineAddress }: Pick<Facts, 'baseline' | 'baselineAddress'>,
  interfaces: Interfaces = networkInterfaces(),
): BaselineMark {
  if (!baseline) return 'none'
  if (baselineAddress === undefined) return 'here'
  const own = Object.values(interfaces).flatMap((list) => list ?? [])
  return own.some(({ address }) => address === baselineAddress) ? 'here' : 'elsewhere'
}

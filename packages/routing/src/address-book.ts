import { comparableAddress } from './address.js'
import type { Instance } from './instance.js'
import type { Provider } from './provider.js'
import { SteadyMap } from './steady-map.js'

/** An index, as the book sees it. */
export interface Resident {
  /** Judges some of its untagged providers anew, before and after what their standing depends on changes. */
  rejudge(providers: readonly Provider[], change: () => void): void
}

interface Entry {
  readonly provider: Provider
  readonly resident: Resident
}

/**
 * Which addresses are tagged, over all services of one view of a registry: a laptop that serves `inventory` under a tag
 * is a laptop for `payment` too, however old the untagged record that still names it, and however it spells its host.
 */
export class AddressBook {
  readonly #entries = new SteadyMap<readonly Entry[]>()

  /** Whether anybody at this address, of whatever service, is tagged. */
  isTagged(instance: Instance): boolean {
    return this.#at(addressOf(instance)).some(({ provider }) => provider.tagged)
  }

  /** Enters a provider. Where that makes its address a tagged one, the untagged ones there are judged anew. */
  add(provider: Provider, resident: Resident): void {
    const address = addressOf(provider.instance)
    const entries = this.#at(address)
    this.#change(address, entries, [...entries, { provider, resident }])
  }

  remove(provider: Provider): void {
    const address = addressOf(provider.instance)
    const entries = this.#at(address)
    const rest = entries.filter((entry) => entry.provider !== provider)
    this.#change(address, entries, rest)
  }

  #at(address: string): readonly Entry[] {
    return this.#entries.get(address) ?? NOBODY
  }

  #change(address: string, before: readonly Entry[], after: readonly Entry[]): void {
    let change = (): void => {
      if (after.length > 0) this.#entries.set(address, after)
      else this.#entries.delete(address)
    }
    if (before.some(isTagged) !== after.some(isTagged)) {
      // Those who are there before and after; the one that comes or goes is its own index's to judge.
      const untagged = (before.length < after.length ? before : after).filter((entry) => !isTagged(entry))
      for (const [resident, providers] of byResident(untagged)) {
        const next = change
        change = () => {
          resident.rejudge(providers, next)
        }
      }
    }
    change()
  }
}

const NOBODY: readonly Entry[] = Object.freeze([])

function isTagged({ provider }: Entry): boolean {
  return provider.tagged
}

function byResident(entries: readonly Entry[]): Map<Resident, Provider[]> {
  const groups = new Map<Resident, Provider[]>()
  for (const { provider, resident } of entries) {
    const group = groups.get(resident)
    if (group === undefined) groups.set(resident, [provider])
    else group.push(provider)
  }
  return groups
}

function addressOf({ host, port }: Instance): string {
  return comparableAddress(host, port)
}

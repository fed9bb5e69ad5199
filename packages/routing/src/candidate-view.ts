import { tagOf } from '@waybill/core/adapter'
import { Bucket } from './bucket.js'
import type { Instance } from './instance.js'
import type { Provider } from './provider.js'

/** What a call demands of an instance before anything else is asked. */
export interface Requirement {
  readonly cell?: string
  /** The instance's `metadata.role`. */
  readonly role?: string
}

/**
 * The candidates that serve one tag itself. A bucket, and not the holder of one: among very many tags each choice
 * meets another shelf, and an object more is one more that is in no cache.
 */
export class TagShelf extends Bucket {
  /** Announced as `tag` or `tag.*`, candidates or not: at least one, or the shelf goes. */
  announced = 0
  /** Announced as `tag.*`, candidates or not. */
  announcedSubtree = 0
  /** Candidates that serve the tags below it too; undefined where nobody announces `tag.*`, as with most tags. */
  subtree: Bucket | undefined = undefined
}

/** The untagged instances of one zone. */
export class ZoneShelf {
  /** All that the snapshot holds: ejected and disabled ones too. */
  known = 0
  /** Candidates that are not failing. */
  healthy = 0
  readonly candidates: Bucket = new Bucket()
}

/** What the index has settled about a provider before it enters a view. */
export interface Standing {
  readonly candidate: boolean
  /** Those of its clks that it may serve: its owner holds the tag. */
  readonly serves: readonly string[]
  /** It runs on one of the hosts that the caller runs on. */
  readonly local: boolean
}

/** The buckets over all instances of a service that meet one requirement. */
export class CandidateView {
  readonly tags: Map<string, TagShelf> = new Map()
  readonly untagged: Bucket = new Bucket()
  /** Untagged candidates of the caller's own host. */
  readonly local: Bucket = new Bucket()
  /** Owner → tagged candidates of hers. */
  readonly owners: Map<string, number> = new Map()
  /** Announced clks that end in `.*`, candidates or not. */
  subtrees = 0
  readonly #requirement: Requirement
  readonly #zones = new Map<string, ZoneShelf>()
  /** The zone that was last asked for, since a caller prefers one and the same. */
  #lastZone = ''
  #lastShelf: ZoneShelf | undefined

  constructor(requirement: Requirement) {
    this.#requirement = requirement
  }

  zone(name: string): ZoneShelf | undefined {
    if (name === this.#lastZone && this.#lastShelf !== undefined) return this.#lastShelf
    this.#lastZone = name
    return (this.#lastShelf = this.#zones.get(name))
  }

  admits(instance: Instance): boolean {
    const { cell, role } = this.#requirement
    if (cell !== undefined && instance.cell !== cell) return false
    return role === undefined || instance.metadata['role'] === role
  }

  /** Whether a tagged provider is a candidate here, and so counted among its owner's. */
  counts(provider: Provider): boolean {
    return provider.tagged && provider.places.length > 0 && this.admits(provider.instance)
  }

  enter(provider: Provider, standing: Standing): void {
    if (provider.tagged) this.#enterTags(provider, standing)
    else this.#enterBaseline(provider, standing)
  }

  /** Called with the standing that it entered with. The places in the buckets are the index's to give up. */
  leave(provider: Provider, standing: Standing): void {
    if (provider.tagged) this.#leaveTags(provider, standing)
    else this.#leaveBaseline(provider, standing)
  }

  #enterTags(provider: Provider, { candidate, serves }: Standing): void {
    for (const clk of provider.instance.clks) {
      const shelf = getOrMake(this.tags, tagOf(clk), () => new TagShelf())
      shelf.announced += 1
      if (!isSubtree(clk)) continue
      shelf.announcedSubtree += 1
      shelf.subtree ??= new Bucket()
      this.subtrees += 1
    }
    if (!candidate || serves.length === 0) return
    for (const clk of serves) {
      const shelf = getOrMake(this.tags, tagOf(clk), () => new TagShelf())
      // One that announces both `team` and `team.*` still stands there once.
      if (!shelf.has(provider)) shelf.add(provider)
      if (isSubtree(clk)) shelf.subtree?.add(provider)
    }
    const owner = ownerOf(provider)
    this.owners.set(owner, (this.owners.get(owner) ?? 0) + 1)
  }

  #leaveTags(provider: Provider, { candidate, serves }: Standing): void {
    for (const clk of provider.instance.clks) {
      const shelf = this.tags.get(tagOf(clk)) as TagShelf
      shelf.announced -= 1
      if (isSubtree(clk)) {
        shelf.announcedSubtree -= 1
        if (shelf.announcedSubtree === 0) shelf.subtree = undefined
        this.subtrees -= 1
      }
      if (shelf.announced === 0) this.tags.delete(tagOf(clk))
    }
    if (!candidate || serves.length === 0) return
    const owner = ownerOf(provider)
    const rest = (this.owners.get(owner) as number) - 1
    if (rest === 0) this.owners.delete(owner)
    else this.owners.set(owner, rest)
  }

  #enterBaseline(provider: Provider, { candidate, local }: Standing): void {
    const zone = getOrMake(this.#zones, provider.instance.zone ?? '', () => new ZoneShelf())
    zone.known += 1
    if (!candidate) return
    if (!provider.failing) zone.healthy += 1
    zone.candidates.add(provider)
    this.untagged.add(provider)
    if (local) this.local.add(provider)
  }

  #leaveBaseline(provider: Provider, { candidate }: Standing): void {
    const name = provider.instance.zone ?? ''
    const zone = this.#zones.get(name) as ZoneShelf
    zone.known -= 1
    if (zone.known === 0) {
      this.#zones.delete(name)
      this.#lastShelf = undefined
    }
    if (candidate && !provider.failing) zone.healthy -= 1
  }
}

/** Who is named where only foreign tags are left. A registry without owners still names the instance. */
export function ownerOf({ instance }: Provider): string {
  return instance.owner ?? instance.id
}

function isSubtree(clk: string): boolean {
  return clk.endsWith('.*')
}

function getOrMake<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

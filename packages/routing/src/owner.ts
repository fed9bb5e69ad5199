import { tagOf, WaybillError } from '@waybill/core/adapter'
import type { Instance } from './instance.js'

/** Who holds a tag now. */
export interface Holder {
  readonly owner: string
  /** Instances that keep the claim alive; it ends with the last. */
  readonly instances: readonly string[]
}

/** The tags that an instance claims: `team` for `team` and for `team.*`, each once. */
export function claimsOf(instance: Instance): readonly string[] {
  return [...new Set(instance.clks.map(tagOf))]
}

/**
 * The owner in whose name an instance claims its tags.
 *
 * @throws WaybillError `ERR_WAYBILL_INVALID_VALUE` for a tagged instance without owner: nobody could be told whose it is.
 */
export function ownerOf(instance: Instance): string {
  if (instance.owner !== undefined) return instance.owner
  throw new WaybillError(
    'ERR_WAYBILL_INVALID_VALUE',
    { field: 'owner', instance: instance.id, clks: instance.clks },
    { remedy: 'A tagged instance names its owner: createKit({ owner }) or WAYBILL_OWNER.' },
  )
}

/** The refusal that names the holder. */
export function tagOwned(tag: string, holder: Omit<Holder, 'instances'>, environment: string): WaybillError {
  return new WaybillError('ERR_WAYBILL_TAG_OWNED', { tag, holder: holder.owner, environment })
}

/** Where an instance with this id lives already. */
export interface IdHolder {
  readonly pid: number
  readonly host: string
}

/** The refusal that names process and host. */
export function idTaken(id: string, holder: IdHolder): WaybillError {
  return new WaybillError('ERR_WAYBILL_ID_TAKEN', { id, pid: holder.pid, host: holder.host })
}

/**
 * The claims of one environment, for a registry whose every step is taken in one thread. One living owner per tag,
 * across all services; a claim begins with an owner's first lease and ends with the last.
 */
export class ClaimTable {
  readonly #claims = new Map<string, { owner: string; readonly instances: Set<string> }>()

  /** Claims all tags of the instance, or none and returns the refusal. */
  take(instance: Instance): WaybillError | undefined {
    const tags = claimsOf(instance)
    if (tags.length === 0) return undefined
    const owner = ownerOf(instance)
    for (const tag of tags) {
      const claim = this.#claims.get(tag)
      if (claim !== undefined && claim.owner !== owner) return tagOwned(tag, claim, instance.environment)
    }
    for (const tag of tags) {
      const claim = this.#claims.get(tag)
      if (claim === undefined) this.#claims.set(tag, { owner, instances: new Set([instance.id]) })
      else claim.instances.add(instance.id)
    }
    return undefined
  }

  leave(instance: Instance): void {
    for (const tag of claimsOf(instance)) {
      const claim = this.#claims.get(tag)
      if (claim?.instances.delete(instance.id) === true && claim.instances.size === 0)
        this.#claims.delete(tag)
    }
  }

  /** The holder of each tag. */
  *holders(): Generator<readonly [tag: string, owner: string], void> {
    for (const [tag, { owner }] of this.#claims) yield [tag, owner]
  }

  /** The same for the tags that some instances claim; undefined where nobody holds one. */
  holdersOf(instances: readonly Instance[]): Map<string, string | undefined> {
    return new Map(instances.flatMap(claimsOf).map((tag) => [tag, this.#claims.get(tag)?.owner]))
  }

  /** Ids of the instances that hold a tag. */
  instancesOf(tag: string): readonly string[] {
    return [...(this.#claims.get(tag)?.instances ?? [])]
  }
}

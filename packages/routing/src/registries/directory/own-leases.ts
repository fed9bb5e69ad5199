import { randomUUID } from 'node:crypto'
import { isWaybillError, WaybillError } from '@waybill/core/adapter'
import type { Instance } from '../../instance.js'
import { claimsOf, idTaken, ownerOf, tagOwned } from '../../owner.js'
import { OwnLease } from '../../own-lease.js'
import type { LeaseRecord } from './lease-file.js'
import type { LeaseStore, StandingClaims } from './lease-store.js'
import { ownMark } from './process-life.js'

/** The registrations of this process in one folder: made, kept where somebody removes them, and taken back. */
export class OwnLeases {
  readonly #store: LeaseStore
  readonly #changed: () => void
  readonly #leases = new Map<string, { readonly lease: OwnLease; readonly record: LeaseRecord }>()
  /** A process that ends by itself does not leave it to others to find out. */
  readonly #onExit = (): void => {
    for (const { record } of this.#leases.values()) this.#store.remove(record)
  }

  /** @param changed called after a registration was taken back. */
  constructor(store: LeaseStore, changed: () => void) {
    this.#store = store
    this.#changed = changed
  }

  /** @throws WaybillError `ERR_WAYBILL_ID_TAKEN`, `ERR_WAYBILL_TAG_OWNED`, `ERR_WAYBILL_REGISTRY` */
  add(instance: Instance): OwnLease {
    const record: LeaseRecord = { token: randomUUID(), process: ownMark(), instance }
    try {
      this.#claim(record)
      this.#store.write(record)
    } catch (cause) {
      if (isWaybillError(cause)) throw cause
      this.#store.remove(record)
      const facts = { registry: 'directory', folder: this.#store.folder, why: 'it cannot be written' }
      throw new WaybillError('ERR_WAYBILL_REGISTRY', facts, { cause })
    }
    const lease: OwnLease = new OwnLease(instance, async () => {
      if (this.#leases.get(instance.id)?.lease === lease) this.#forget(instance.id)
      this.#store.remove(record)
      this.#changed()
    })
    if (this.#leases.size === 0) process.once('exit', this.#onExit)
    this.#leases.set(instance.id, { lease, record })
    return lease
  }

  /**
   * Writes again what is missing, and gives up what somebody decided against: the tag was released by another client,
   * or is another owner's by now.
   *
   * @param found the leases that the folder holds.
   */
  keep(claims: StandingClaims, found: readonly LeaseRecord[]): void {
    if (this.#leases.size === 0) return
    const tokens = new Set(found.map(({ token }) => token))
    for (const [id, { lease, record }] of this.#leases) {
      const standing = this.#store.standing(record, claims, tokens.has(record.token))
      if (standing === 'kept') lease.restored()
      else if (standing === 'missing') this.#writeAgain(lease, record)
      else {
        this.#forget(id)
        this.#store.remove(record)
        lease.revoked(standing.holder === undefined ? 'revoked' : 'taken', standing.holder)
      }
    }
  }

  async release(): Promise<void> {
    await Promise.all([...this.#leases.values()].map(({ lease }) => lease.release()))
  }

  /** All or nothing: the id first, then each tag. */
  #claim(record: LeaseRecord): void {
    const { instance } = record
    const owner = instance.clks.length === 0 ? '' : ownerOf(instance)
    const [holder] = this.#store.takeId(record)?.members ?? []
    if (holder !== undefined) throw idTaken(instance.id, holder.process)
    for (const tag of claimsOf(instance)) {
      const refused = this.#store.takeTag(tag, owner, record)
      if (refused === undefined) continue
      this.#store.remove(record)
      throw tagOwned(tag, refused, instance.environment)
    }
  }

  #writeAgain(lease: OwnLease, record: LeaseRecord): void {
    lease.lost('forgotten')
    try {
      this.#store.write(record)
      lease.restored()
    } catch {
      // Tried again with the next look.
    }
  }

  #forget(id: string): void {
    this.#leases.delete(id)
    if (this.#leases.size === 0) process.removeListener('exit', this.#onExit)
  }
}

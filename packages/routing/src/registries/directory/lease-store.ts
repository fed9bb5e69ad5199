import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Instance } from '../../instance.js'
import { claimsOf } from '../../owner.js'
import { ClaimFolder, holds } from './claim-folder.js'
import type { Claim, Member } from './claim-folder.js'
import { fileNameOf, LeaseFolder, readLease, removeLease, writeLease } from './lease-file.js'
import type { LeaseRecord } from './lease-file.js'
import { lifeOf } from './process-life.js'
import { safeFolder, safeParent } from './safe-folder.js'

/** How one of our registrations stands: as written; to be written again; or somebody else's decision against it. */
export type Standing = 'kept' | 'missing' | { readonly holder: string | undefined }

export interface StandingClaims {
  readonly tags: ReadonlyMap<string, Claim>
  /** Read when they are asked for: only who misses a file needs them. */
  readonly ids: () => ReadonlyMap<string, Claim>
}

/**
 * True if the registration was ended, by its process or by whoever revoked it. A file that is missing otherwise was
 * removed by somebody else, maybe with the whole folder, and its process writes it again.
 */
export function isEnded({ ids }: StandingClaims, record: LeaseRecord): boolean {
  const claim = ids().get(fileNameOf(record.instance.id))
  return claim !== undefined && !holds(claim, memberOf(record))
}

/** Who holds each tag. A claim without members is free. */
export function holdersIn({ tags }: StandingClaims): Map<string, string> {
  const holders = new Map<string, string>()
  for (const [tag, { owner, members }] of tags) if (members.length > 0) holders.set(tag, owner)
  return holders
}

/** A writer that is still at it is done long before. */
const TEMPORARY_MS = 60_000
/** What another machine or container wrote, which nobody here can judge, is forgotten after a day. */
const FOREIGN_MS = 86_400_000

/**
 * The files of one environment:
 *
 * ```
 * baseline/    a lease file for each untagged instance; what a client without the kit may read
 * developers/  a lease file for each tagged one
 * claims/      who owns which tag
 * ids/         which process has which instance id
 * ```
 */
export class LeaseStore {
  readonly folder: string
  readonly #root: string
  readonly #baseline: LeaseFolder
  readonly #developers: LeaseFolder
  readonly #tags: ClaimFolder
  readonly #ids: ClaimFolder

  /** @throws WaybillError `ERR_WAYBILL_REGISTRY_UNSAFE`, `ERR_WAYBILL_REGISTRY` */
  constructor(root: string, environment: string) {
    this.#root = root
    this.folder = join(root, environment)
    this.makeFolders()
    this.#baseline = new LeaseFolder(this.#path('baseline'), false)
    this.#developers = new LeaseFolder(this.#path('developers'), true)
    this.#tags = new ClaimFolder(this.#path('claims'))
    this.#ids = new ClaimFolder(this.#path('ids'))
  }

  /** Makes what is missing. @throws WaybillError `ERR_WAYBILL_REGISTRY_UNSAFE`, `ERR_WAYBILL_REGISTRY` */
  makeFolders(): void {
    safeFolder(this.#root)
    safeParent(this.#root)
    for (const folder of [this.folder, ...PARTS.map((part) => this.#path(part))]) safeFolder(folder)
  }

  get dropped(): number {
    return this.#baseline.dropped + this.#developers.dropped
  }

  /** The folders whose changes matter to a reader. */
  get watched(): readonly string[] {
    return [this.#path('baseline'), this.#path('developers'), this.#path('claims')]
  }

  /** @throws the file system's error where a folder is gone. */
  read(): LeaseRecord[] {
    return [...this.#baseline.read(), ...this.#developers.read()]
  }

  /** The claims as they stand now: on tags and on ids. */
  claims(): StandingClaims {
    let ids: ReadonlyMap<string, Claim> | undefined
    return { tags: this.#tags.all(), ids: () => (ids ??= this.#ids.all()) }
  }

  takeId(record: LeaseRecord): Claim | undefined {
    return this.#ids.take(fileNameOf(record.instance.id), record.token, memberOf(record))
  }

  /** Where the tag is taken over from a process that ended, its lease goes with it. */
  takeTag(tag: string, owner: string, record: LeaseRecord): Claim | undefined {
    const before = this.#tags.read(tag)
    const refused = this.#tags.take(tag, owner, memberOf(record))
    if (refused === undefined) {
      for (const { id, process } of before?.members ?? [])
        if (lifeOf(process) === 'dead') this.#removeDead(id)
    }
    return refused
  }

  write(record: LeaseRecord): void {
    writeLease(this.#folderOf(record.instance), record)
  }

  /** Takes a registration out, whole. Never throws: what is gone already needs no removal. */
  remove(record: LeaseRecord): void {
    const { instance } = record
    quietly(() => {
      removeLease(this.#folderOf(instance), record)
    })
    for (const tag of claimsOf(instance)) {
      quietly(() => {
        this.#tags.leave(tag, memberOf(record))
      })
    }
    quietly(() => {
      this.#ids.leave(fileNameOf(instance.id), memberOf(record))
    })
  }

  /** Frees a tag and takes out every instance that holds it. */
  revoke(tag: string): Instance[] {
    const revoked: Instance[] = []
    for (const member of this.#tags.clear(tag)) {
      const record = readLease(this.#path('developers'), member.id)
      if (record?.process.pid !== member.process.pid) continue
      this.remove(record)
      revoked.push(record.instance)
    }
    return revoked
  }

  /**
   * How a registration of this process stands; what was wiped out with the folder is claimed again here.
   *
   * @param isWritten whether its file is there.
   */
  standing(record: LeaseRecord, claims: StandingClaims, isWritten: boolean): Standing {
    const { instance } = record
    const name = fileNameOf(instance.id)
    const refused = standingOf(claims.ids().get(name), record, () => this.takeId(record))
    if (refused !== undefined) return refused
    for (const tag of claimsOf(instance)) {
      const take = (): Claim | undefined => this.takeTag(tag, instance.owner ?? '', record)
      const lost = standingOf(claims.tags.get(tag), record, take)
      if (lost !== undefined) return lost
    }
    return isWritten ? 'kept' : 'missing'
  }

  /** Removes what nobody speaks for any more. */
  clean(wallMs: number): void {
    this.#tags.clean(wallMs)
    this.#ids.clean(wallMs)
    for (const part of PARTS) {
      for (const name of readdirSync(this.#path(part))) {
        if (!name.endsWith('.tmp')) continue
        this.#removeOlder(join(this.#path(part), name), wallMs - TEMPORARY_MS)
      }
    }
    for (const { instance, process } of this.read()) {
      if (lifeOf(process) !== 'foreign') continue
      this.#removeOlder(
        join(this.#folderOf(instance), `${fileNameOf(instance.id)}.json`),
        wallMs - FOREIGN_MS,
      )
    }
  }

  #removeOlder(path: string, wallMs: number): void {
    quietly(() => {
      if (lstatSync(path).mtimeMs < wallMs) rmSync(path, { force: true })
    })
  }

  #removeDead(id: string): void {
    const record = readLease(this.#path('developers'), id)
    if (record !== undefined && lifeOf(record.process) === 'dead') this.remove(record)
  }

  #folderOf(instance: Instance): string {
    return this.#path(instance.clks.length === 0 ? 'baseline' : 'developers')
  }

  #path(part: (typeof PARTS)[number]): string {
    return join(this.folder, part)
  }
}

const PARTS = ['baseline', 'developers', 'claims', 'ids'] as const

const memberOf = ({ instance, process }: LeaseRecord): Member => ({ id: instance.id, process })

/** Undefined while the claim is ours. Where there is none at all it was wiped out, and we take it again. */
function standingOf(
  claim: Claim | undefined,
  record: LeaseRecord,
  take: () => Claim | undefined,
): { readonly holder: string | undefined } | undefined {
  if (claim === undefined) {
    const refused = take()
    return refused === undefined ? undefined : { holder: refused.owner }
  }
  if (holds(claim, memberOf(record))) return undefined
  return { holder: claim.members.length === 0 ? undefined : claim.owner }
}

function quietly(step: () => void): void {
  try {
    step()
  } catch {
    // The folder is gone, and everything with it.
  }
}

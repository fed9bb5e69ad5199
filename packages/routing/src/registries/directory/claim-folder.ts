import { rmSync } from 'node:fs'
import { printableText } from '@waybill/core/adapter'
import { lifeOf, readMark } from './process-life.js'
import type { ProcessMark } from './process-life.js'
import { readSafeFile } from './safe-folder.js'
import { lastVersions, VersionedFile, writtenAt } from './versioned-file.js'

/** One registration that keeps a claim alive. */
export interface Member {
  /** The instance's id. */
  readonly id: string
  readonly process: ProcessMark
}

export interface Claim {
  readonly owner: string
  readonly members: readonly Member[]
}

/** Members of one claim at most; more are no team but a mistake, or hostile, and would not fit into the file. */
const MEMBERS_AT_MOST = 128
/** How long a claim without living members stays, so that nobody who is just deciding on it has it pulled away. */
const KEPT_MS = 600_000
/** So many others may be faster in a row before we give up. */
const ATTEMPTS = 1_000

/**
 * Claims of one kind, each a versioned file: tags, held by an owner through any number of instances, and instance
 * ids, held by one process. Every step reads the whole claim, decides, and replaces it only if nobody else did
 * meanwhile; so a tag has one owner, and a dead one's tag one taker, however many try.
 */
export class ClaimFolder {
  readonly #folder: string
  readonly #seen = new Map<string, { readonly version: number; readonly claim: Claim | undefined }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Joins the claim, or takes it over where none of its members lives.
   *
   * @returns undefined where it is ours now, else the claim that refused us: another living owner's, or one in which
   * a living process has this member's id.
   */
  take(name: string, owner: string, member: Member): Claim | undefined {
    return this.#change(name, (claim) => {
      const members = living(claim)
      const conflict =
        members.length > 0 && (claim?.owner !== owner || members.some(({ id }) => id === member.id))
      return conflict
        ? { refused: { owner: claim?.owner ?? '', members } }
        : { next: { owner, members: [...members, member] } }
    })
  }

  /** Takes one member out. True if it was one. */
  leave(name: string, member: Member): boolean {
    let wasMember = false
    this.#change(name, (claim) => {
      const members = claim?.members.filter((other) => !isSame(other, member)) ?? []
      wasMember = claim !== undefined && members.length < claim.members.length
      return wasMember ? { next: { owner: claim?.owner ?? '', members } } : {}
    })
    return wasMember
  }

  /** Takes all members out, and returns them. */
  clear(name: string): readonly Member[] {
    let members: readonly Member[] = []
    this.#change(name, (claim) => {
      members = claim?.members ?? []
      return members.length === 0 ? {} : { next: { owner: claim?.owner ?? '', members: [] } }
    })
    return members
  }

  /** The claim as it stands; undefined where there never was one, or where it cannot be read. */
  read(name: string): Claim | undefined {
    return parseClaim(new VersionedFile(this.#folder, name).read().text)
  }

  /** All claims as they stand, by name; those that cannot be read are left out. */
  all(): Map<string, Claim> {
    const claims = new Map<string, Claim>()
    const versions = lastVersions(this.#folder)
    for (const [name, version] of versions) {
      let seen = this.#seen.get(name)
      // A version never changes its content, so one that was read once is known.
      if (seen?.version !== version) {
        seen = { version, claim: parseClaim(readSafeFile(`${this.#folder}/${name}@${String(version)}.json`)) }
        this.#seen.set(name, seen)
      }
      if (seen.claim !== undefined) claims.set(name, seen.claim)
    }
    for (const name of this.#seen.keys()) if (!versions.has(name)) this.#seen.delete(name)
    return claims
  }

  /** Removes claims that have been without living members for ten minutes. */
  clean(wallMs: number): void {
    for (const [name, version] of lastVersions(this.#folder)) {
      const at = writtenAt(this.#folder, name, version)
      if (at === undefined || wallMs - at < KEPT_MS || living(this.read(name)).length > 0) continue
      for (const old of [version - 1, version])
        rmSync(`${this.#folder}/${name}@${String(old)}.json`, { force: true })
    }
  }

  #change(
    name: string,
    decide: (claim: Claim | undefined) => { readonly next?: Claim; readonly refused?: Claim },
  ): Claim | undefined {
    const file = new VersionedFile(this.#folder, name)
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { version, text } = file.read()
      const { next, refused } = decide(parseClaim(text))
      if (next === undefined) return refused
      if (next.members.length > MEMBERS_AT_MOST)
        throw new Error(`${name} has ${String(MEMBERS_AT_MOST)} members`)
      if (file.replace(version, JSON.stringify(next))) return undefined
    }
    throw new Error(
      `the claim ${name} in ${this.#folder} changed ${String(ATTEMPTS)} times while we tried to`,
    )
  }
}

/** Those of another machine or container cannot be judged and hold nothing here: a folder belongs to one machine. */
function living(claim: Claim | undefined): readonly Member[] {
  return claim?.members.filter((member) => lifeOf(member.process) === 'alive') ?? []
}

/** True while this very registration is a member. */
export function holds(claim: Claim | undefined, member: Member): boolean {
  return claim?.members.some((other) => isSame(other, member)) === true
}

function isSame(a: Member, b: Member): boolean {
  return a.id === b.id && a.process.pid === b.process.pid && a.process.started === b.process.started
}

function parseClaim(text: string | undefined): Claim | undefined {
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { owner, members } = value as Record<string, unknown>
  // The owner's name ends in other people's error messages.
  const name = printableText(owner)
  if (name === undefined || !Array.isArray(members)) return undefined
  return {
    owner: name,
    members: members.slice(0, MEMBERS_AT_MOST).flatMap((member) => readMember(member) ?? []),
  }
}

function readMember(value: unknown): Member | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, process } = value as Record<string, unknown>
  const mark = readMark(process)
  return typeof id === 'string' && id.length <= 256 && mark !== undefined ? { id, process: mark } : undefined
}

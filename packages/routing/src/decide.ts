import type { Bucket } from './bucket.js'
import { ownerOf } from './candidate-view.js'
import type { CandidateView, Requirement } from './candidate-view.js'
import type { Provider } from './provider.js'
import type { ServiceIndex } from './service-index.js'

/**
 * What a caller does where nobody serves the tag. `baseline`: the untagged instances, the preferred zone first;
 * `zone-only`: those of the preferred zone alone; `strict`: nobody.
 */
export type Policy = 'baseline' | 'strict' | 'zone-only'

/** Why the decision is what it is. One per decision, in the order of the steps. */
export type Reason =
  | 'TAG_EXACT'
  | 'TAG_PARENT'
  | 'STRICT_NO_MATCH'
  | 'BASELINE_ZONE'
  | 'BASELINE_ANY'
  | 'BASELINE_ADDRESS'
  | 'ONLY_FOREIGN_TAGS'
  | 'NO_PROVIDER'

/**
 * What else a reader of the decision wants to know. `TAG_UNHEALTHY`: the tag is announced and none of its instances is
 * a candidate; `TAG_UNREACHABLE`: a connect to one failed in this call (added by `route`); `TAG_TRIED`: one is left
 * out since this call tried it; `LOCAL`: taken for being on the caller's host; `STALE_SNAPSHOT`: the registry is
 * silent, or lost half of its instances at once.
 */
export type Note = 'TAG_UNHEALTHY' | 'TAG_UNREACHABLE' | 'TAG_TRIED' | 'LOCAL' | 'STALE_SNAPSHOT'

/** What a decision depends on besides the instances. Neither call nor waybill, so that it can be asked alone. */
export interface DecisionRequest {
  /** The request's tag in normal form; absent: untagged. */
  readonly clk?: string | undefined
  /** The preferred zone in normal form; absent: all zones are alike. */
  readonly zone?: string | undefined
  /** Default `baseline`. */
  readonly policy?: Policy | undefined
  /** Ids of the instances that this call has tried already. They are not tried again. */
  readonly tried?: readonly string[] | undefined
  /** True if the call can go to an address without a registry: a baseline address, or its URL's own host. */
  readonly address?: boolean | undefined
  /** A hard filter before everything else. No address can meet it. */
  readonly require?: Requirement | undefined
  /** The caller's own hosts, where it prefers an instance beside it. The same set object each time. */
  readonly local?: ReadonlySet<string> | undefined
}

/** Steps of the table in `docs/routing.md`. */
export type Step = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

export interface Decision {
  readonly step: Step
  readonly reason: Reason
  readonly notes: readonly Note[]
  /** Who may serve, but for those of `leftOut`. None at steps 3, 6, 7 and 8. Alive: it changes with the index. */
  readonly bucket: Bucket | undefined
  /** Tried by this call before. */
  readonly leftOut: readonly Provider[]
  /** Whose the foreign-tagged instances are, at most 20. Empty but at step 7. */
  readonly owners: readonly string[]
}

const MAX_OWNERS = 20
const NOBODY: readonly Provider[] = Object.freeze([])
const NO_ONE: readonly string[] = Object.freeze([])
const NO_NOTES: readonly Note[] = Object.freeze([])

/**
 * The decision table. Reads the index and changes nothing; its cost does not grow with the number of instances.
 *
 * No result ever holds a tagged instance unless its clks name the tag, the tag with `.*`, or an ancestor with `.*`.
 */
export function decide(index: ServiceIndex, request: DecisionRequest): Decision {
  const view = index.view(request.require)
  const leftOut = request.tried && request.tried.length > 0 ? findTried(index, request.tried) : NOBODY
  const decision = decideStep(index, view, request, leftOut)
  if (!index.stale && !index.held) return decision
  return { ...decision, notes: [...decision.notes, 'STALE_SNAPSHOT'] }
}

function decideStep(
  index: ServiceIndex,
  view: CandidateView,
  request: DecisionRequest,
  leftOut: readonly Provider[],
): Decision {
  let notes = NO_NOTES
  if (request.clk !== undefined) {
    const tagged = decideTag(view, request.clk, leftOut)
    if (tagged.bucket !== undefined || request.policy === 'strict') return tagged
    notes = tagged.notes
  }
  const untagged = decideBaseline(index, view, request, leftOut, notes)
  if (untagged) return untagged
  // Nothing tells which cell or role stands behind an address.
  if (request.address === true && view === index.view()) {
    return nobody(6, 'BASELINE_ADDRESS', leftOut, notes)
  }
  const owners = foreignOwners(view, leftOut)
  return owners.length > 0
    ? nobody(7, 'ONLY_FOREIGN_TAGS', leftOut, notes, owners)
    : nobody(8, 'NO_PROVIDER', leftOut, notes)
}

/** The untagged of a zone or of all: the same buckets again and again, so where nothing else is to say it is made once. */
function baseline(
  step: Step,
  reason: Reason,
  bucket: Bucket,
  leftOut: readonly Provider[],
  notes: readonly Note[],
): Decision {
  if (leftOut.length > 0 || notes.length > 0) return somebody(step, reason, bucket, leftOut, notes)
  if (bucket.settled?.reason === reason) return bucket.settled
  return (bucket.settled = somebody(step, reason, bucket, leftOut, notes))
}

function somebody(
  step: Step,
  reason: Reason,
  bucket: Bucket,
  leftOut: readonly Provider[],
  notes: readonly Note[],
): Decision {
  return { step, reason, notes, bucket, leftOut, owners: NO_ONE }
}

function nobody(
  step: Step,
  reason: Reason,
  leftOut: readonly Provider[],
  notes: readonly Note[],
  owners = NO_ONE,
): Decision {
  return { step, reason, notes, bucket: undefined, leftOut, owners }
}

/** Of a tag of which nobody has heard, as most are that nobody serves. */
const UNHEARD_OF: Decision = nobody(3, 'STRICT_NO_MATCH', NOBODY, NO_NOTES)

/**
 * Steps 1 and 2: the tag itself, then the nearest ancestor that is announced for its whole subtree. Step 3 where
 * neither is served.
 */
function decideTag(view: CandidateView, clk: string, leftOut: readonly Provider[]): Decision {
  let notes = NO_NOTES
  const shelf = view.tags.get(clk)
  if (shelf !== undefined) {
    notes = noteTag(notes, shelf, leftOut)
    if (hasOther(shelf, leftOut)) return somebody(1, 'TAG_EXACT', shelf, leftOut, notes)
  }
  if (view.subtrees > 0) {
    for (let end = clk.lastIndexOf('.'); end > 0; end = clk.lastIndexOf('.', end - 1)) {
      const subtree = view.tags.get(clk.slice(0, end))?.subtree
      if (subtree === undefined) continue
      notes = noteTag(notes, subtree, leftOut)
      if (hasOther(subtree, leftOut)) return somebody(2, 'TAG_PARENT', subtree, leftOut, notes)
    }
  }
  if (notes.length === 0 && leftOut.length === 0) return UNHEARD_OF
  return nobody(3, 'STRICT_NO_MATCH', leftOut, notes)
}

/** Why a bucket of instances that are announced has none left, or not all. */
function noteTag(notes: readonly Note[], bucket: Bucket, leftOut: readonly Provider[]): readonly Note[] {
  if (countIn(bucket, leftOut) > 0) return withNote(notes, 'TAG_TRIED')
  return bucket.size === 0 ? withNote(notes, 'TAG_UNHEALTHY') : notes
}

/** Steps 4 and 5. */
function decideBaseline(
  index: ServiceIndex,
  view: CandidateView,
  request: DecisionRequest,
  leftOut: readonly Provider[],
  notes: readonly Note[],
): Decision | undefined {
  const zone = request.zone ? view.zone(request.zone) : undefined
  const zoneOnly = request.policy === 'zone-only'
  if (request.local) {
    index.trackLocal(request.local)
    const { local } = view
    const inZone = local.size > 0 && request.zone !== undefined && local.at(0).instance.zone === request.zone
    if (hasOther(local, leftOut) && (inZone || !zoneOnly)) {
      const noted = withNote(notes, 'LOCAL')
      return inZone
        ? somebody(4, 'BASELINE_ZONE', local, leftOut, noted)
        : somebody(5, 'BASELINE_ANY', local, leftOut, noted)
    }
  }
  if (zone && hasOther(zone.candidates, leftOut)) {
    const inside = zone.candidates
    if (zoneOnly && zone.healthy === 0) return undefined
    // A zone of which less than half is healthy would drown in its own traffic. Failing instances count as unhealthy
    // even where the cap of ejection keeps them, or the cap would hide that the whole zone is down.
    const ailing = zone.healthy * 2 < zone.known
    if (zoneOnly || !ailing || !hasOtherThan(inside, view.untagged, leftOut)) {
      return baseline(4, 'BASELINE_ZONE', inside, leftOut, notes)
    }
  }
  if (zoneOnly || !hasOther(view.untagged, leftOut)) return undefined
  return baseline(5, 'BASELINE_ANY', view.untagged, leftOut, notes)
}

function hasOther(bucket: Bucket, leftOut: readonly Provider[]): boolean {
  return bucket.size > countIn(bucket, leftOut)
}

/** Whether the whole has one left outside of its part. */
function hasOtherThan(part: Bucket, whole: Bucket, leftOut: readonly Provider[]): boolean {
  const outside = leftOut.filter((provider) => whole.has(provider) && !part.has(provider)).length
  return whole.size - part.size > outside
}

function countIn(bucket: Bucket, providers: readonly Provider[]): number {
  if (providers.length === 0) return 0
  let count = 0
  for (const provider of providers) if (bucket.has(provider)) count += 1
  return count
}

/** At steps 7 and 8 every candidate that serves the tag has been tried, so all others are foreign. */
function foreignOwners(view: CandidateView, leftOut: readonly Provider[]): readonly string[] {
  const names: string[] = []
  for (const [owner, count] of view.owners) {
    const tried = leftOut.filter((provider) => view.counts(provider) && ownerOf(provider) === owner).length
    if (count > tried) names.push(owner)
    if (names.length === MAX_OWNERS) break
  }
  return names
}

function findTried(index: ServiceIndex, ids: readonly string[]): readonly Provider[] {
  return ids.map((id) => index.provider(id)).filter((provider) => provider !== undefined)
}

function withNote(notes: readonly Note[], added: Note): readonly Note[] {
  return notes.includes(added) ? notes : [...notes, added]
}

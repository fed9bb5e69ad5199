import type { Instance } from './instance.js'

/** What a worker thread asks its parent about one service. */
export interface IndexQuestion {
  readonly service: string
  /** How far it has read already; undefined: nothing. */
  readonly known: IndexPosition | undefined
}

/** A point in the changes of one index. */
export interface IndexPosition {
  /** Another one for each index. */
  readonly index: string
  readonly at: number
}

/** The first piece of an answer. */
export interface IndexHead {
  /** What has been read once all pieces are there. */
  readonly position: IndexPosition
  /** True: the pieces hold all instances, and any other has gone. */
  readonly whole: boolean
  /** As of the registry, for errors. */
  readonly place: string
  readonly stale: boolean
  readonly held: boolean
}

/** Every further piece. Only what counts for the parent's decisions is an instance; all else is gone. */
export interface IndexPiece {
  /** Who holds the tags of these instances; undefined: nobody. */
  readonly holders: readonly (readonly [tag: string, owner: string | undefined])[]
  readonly instances: readonly Instance[]
  readonly gone: readonly string[]
}

/** Which facts of an arrival are believed, as a set of bits. */
export const BELIEF = {
  nothing: 0,
  clk: 1,
  shardKey: 2,
  hopCount: 4,
  targetUnit: 8,
  depth: 16,
  fields: 32,
} as const

/** Bits of {@link BELIEF}. */
export type Belief = number

/** An accepted peer, but for the target unit, which only a listed or mutually authenticated one may say. */
export const PEER_BELIEF: Belief =
  BELIEF.clk | BELIEF.shardKey | BELIEF.hopCount | BELIEF.depth | BELIEF.fields

/** What a peer listener keeps of a request that it takes as public: a loop through an ingress must end. */
export const LOOP_BELIEF: Belief = BELIEF.hopCount | BELIEF.depth

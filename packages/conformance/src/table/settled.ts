import { isDeepStrictEqual } from 'node:util'
import { testedNodes, type VerifiedCarrier, type VerifiedFile } from './verified.js'

/**
 * What is to be committed after a run: the Node versions so far and this one; where something has changed, this one
 * alone, since no other has seen it.
 */
export function settled(
  source: string,
  carriers: readonly VerifiedCarrier[],
  node: number,
  committed: VerifiedFile | undefined,
): VerifiedFile {
  const seenBy = isDeepStrictEqual(committed?.carriers, carriers) ? (committed?.nodes ?? []) : []
  return { source, nodes: testedNodes.filter((major) => major === node || seenBy.includes(major)), carriers }
}

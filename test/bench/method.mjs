import { FINE, FULL, FULL_OVER_SOCKETS, MOST_TIMES } from './paired-run.mjs'
import { ESTIMATOR } from './ratios.mjs'
import { factsOf, USERS } from './request-facts.cjs'
import { CALM } from './verdict.mjs'

/** @param {import('./paired-run.mjs').Effort} effort */
const pairsOf = ({ generations, rounds }) => generations * rounds

/** @param {boolean} tagged */
const headersText = (tagged) => {
  const { key, headers } = factsOf(0, tagged)
  const lines = Object.entries(headers).map(
    ([name, value]) => `\`${name}: ${value.replace(key, 'user-<k>')}\``,
  )
  return `${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
}

/** What the page says of the method that constants decide. */
export const methodText = () =>
  [
    `- **Pairs.** A base and its rivals are fresh processes that live beside each other, warmed alike, and take turns: base, a, b, …, base, b, …, a, base, …; each round begins with another rival, so that none has a place of its own. Each ratio is ${ESTIMATOR}; a ratio between two variants is of slices of the same round. A figure is the median of at least ${pairsOf(FULL)} pairs from ${FULL.generations} generations of processes (one process may differ from the next), of ${pairsOf(FINE)} where slices of milliseconds are enough, and of up to ${MOST_TIMES} times as many where they take less than ${FULL.atLeastMs / 1000} seconds; over sockets of at least ${pairsOf(FULL_OVER_SOCKETS)} from ${FULL_OVER_SOCKETS.generations}. Its quartiles are in brackets: a slice during which garbage is collected costs up to twice as much as its neighbour, so they lie far apart, and the median of many does not.`,
    `- **A/A.** A second copy of the base runs along. Where its median lies outside ${CALM.least} to ${CALM.most}, up to ${FULL.moreGenerations} more generations follow; where it stays there, the verdict is _inconclusive_, whatever the figure.`,
    `- **The same work.** Every variant of a cell gets the same bytes: ${headersText(false)}, for ${USERS.toLocaleString('en')} users in turn, so that nobody gains by remembering one text. Cells of tagged requests, the request path and memory get ${headersText(true)}. Before anything is measured each variant is asked which key its handler sees; one that answers otherwise than the base fails the run, and so does a wrong answer in a slice.`,
    `- **Stale.** A row bears a fingerprint of these bytes, of the number of pairs and generations, and of its cell. Where it differs from the tree's, the row is marked _stale_ or †, and has no verdict.`,
  ].join('\n')

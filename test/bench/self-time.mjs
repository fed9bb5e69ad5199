/**
 * A CPU profile as V8 writes it, as far as it is looked at here.
 * @typedef {object} Profile
 * @property {readonly { id: number, callFrame: { functionName: string, url: string } }[]} nodes
 * @property {readonly number[]} samples ids of nodes
 * @property {readonly number[]} timeDeltas µs between a sample and the one before
 *
 * @typedef {{ place: string, micros: number }} SelfTime
 */

/** What the process does when it does nothing for us. */
const WAITING = new Set(['(idle)', '(program)', '(root)'])

/**
 * The package of a frame, and its file where it is one of ours or of Node itself.
 * @param {{ functionName: string, url: string }} frame
 * @returns {string}
 */
export const placeOf = ({ functionName, url }) => {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)'
  if (url.startsWith('node:')) return url
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  if (dependency !== undefined) return dependency
  const own = /\/packages\/([^/]+)\/dist\/(.+)$/.exec(url)
  if (own !== null) return `@waybill/${own[1]} ${own[2]}`
  return url.replace(/^.*\/test\/bench\//, 'bench ')
}

/**
 * Time spent in each place itself, the longest first, in the last so many microseconds of a profile.
 * @param {Profile} profile
 * @param {number} lastMicros
 * @returns {SelfTime[]}
 */
export const selfTimes = ({ nodes, samples, timeDeltas }, lastMicros) => {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  /** @type {Map<string, number>} */
  const times = new Map()
  let back = 0
  for (let index = samples.length - 1; index >= 0 && back < lastMicros; index--) {
    const place = places.get(samples[index] ?? 0) ?? '(native)'
    // A delta leads to its sample, so the time belongs to the sample before; over thousands it is the same.
    const micros = timeDeltas[index] ?? 0
    back += micros
    if (!WAITING.has(place)) times.set(place, (times.get(place) ?? 0) + micros)
  }
  return [...times]
    .map(([place, micros]) => ({ place, micros }))
    .sort((one, other) => other.micros - one.micros)
}

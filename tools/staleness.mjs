/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional] may be absent: most often a binary for another system
 * @property {boolean} [link] a workspace, linked into node_modules
 * @property {string | readonly string[]} [os]
 * @property {string | readonly string[]} [cpu]
 *
 * @typedef {{ packages: Readonly<Record<string, LockedPackage>> }} Lock
 *
 * @typedef {{ os: string, cpu: string }} System as `process.platform` and `process.arch` name them
 */

/**
 * @param {string | readonly string[] | undefined} names one or several, or such with `!` before them
 * @param {string} actual
 */
const allows = (names, actual) => {
  const listed = names === undefined ? [] : [names].flat()
  return listed.includes(actual) || listed.every((name) => name.startsWith('!') && name !== `!${actual}`)
}

/**
 * @param {LockedPackage} locked
 * @param {System} system
 */
export const fits = ({ os, cpu }, system) => allows(os, system.os) && allows(cpu, system.cpu)

/**
 * Why the dependencies must be installed; undefined if they stand as the lock says.
 * @param {Lock} locked `package-lock.json`
 * @param {Lock | undefined} installed npm's own record of what it installed, `node_modules/.package-lock.json`. It is
 * written last, so an install that was interrupted counts as none, and no stamp of ours can disagree with it.
 * @param {System} system
 * @returns {string | undefined}
 */
export const staleness = (locked, installed, system) => {
  if (installed === undefined) return 'nothing is installed'
  for (const [path, { version, optional, link }] of Object.entries(locked.packages)) {
    if (path === '' || link) continue
    const found = installed.packages[path]
    if (found === undefined ? !optional : found.version !== version) return `${path} differs from the lock`
  }
  for (const [path, found] of Object.entries(installed.packages)) {
    if (!(path in locked.packages)) return `${path} is not in the lock`
    if (!fits(found, system)) return `${path} is of another system`
  }
  return undefined
}

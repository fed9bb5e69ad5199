/**
 * Adds to what is installed, of which the last counts.
 * @param change told which one counts now; undefined where none is left.
 * @returns an undo, for any order. A second call does nothing.
 */
export function installLast<T>(installed: T[], added: T, change: (last: T | undefined) => void): () => void {
  installed.push(added)
  change(added)
  let isInstalled = true
  return () => {
    if (!isInstalled) return
    isInstalled = false
    installed.splice(installed.lastIndexOf(added), 1)
    change(installed.at(-1))
  }
}

import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'

/**
 * Calls `changed` soon after something happened in one of the folders. A hint only: some file systems never tell, and
 * a watch whose folder was removed tells nothing more, so whoever uses this looks by himself too.
 *
 * @returns ends the watch.
 */
export function watchFolders(folders: readonly string[], changed: () => void): () => void {
  const watchers: FSWatcher[] = []
  for (const folder of folders) {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        // Temporary files come before each rename; what matters is what they become.
        if (name?.startsWith('.') !== true) changed()
      })
      watcher.on('error', () => {
        watcher.close()
      })
      watchers.push(watcher)
    } catch {
      // No watches left on this machine (ENOSPC) or none on this file system.
    }
  }
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}

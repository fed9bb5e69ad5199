import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Clock } from '@waybill/core/adapter'

/** Editors write in several steps; what counts is how the file stands afterwards. */
const SETTLE_MS = 20

/**
 * Calls `look` soon after the file may have changed, and every `pollMs` in any case: a ConfigMap changes a link in
 * another folder, and some file systems never tell. The folder is watched, not the file, since whoever replaces a file
 * by renaming leaves a watch on the old one behind.
 *
 * @returns ends it.
 */
export function watchFile(path: string, clock: Clock, pollMs: number, look: () => void): () => void {
  let cancel: (() => void) | undefined
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name !== null && name !== basename(path)) return
      cancel ??= clock.after(SETTLE_MS, () => {
        cancel = undefined
        look()
      })
    })
    watcher.on('error', () => watcher?.close())
  } catch {
    // The poll remains.
  }
  const stop = clock.every(pollMs, look)
  return () => {
    cancel?.()
    stop()
    watcher?.close()
  }
}

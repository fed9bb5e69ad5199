/**
 * Runs `leave` on SIGTERM. A listener takes Node's own end of the process away, so once it has run and nobody else
 * listens, the process signals itself again and ends as it would have.
 *
 * @returns takes the listener out.
 */
export function onTerminate(leave: () => Promise<void>): () => void {
  const listener = (): void => {
    void leave().finally(() => {
      // `leave` has taken this listener out; another one's owner ends the process in her own time.
      if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM')
    })
  }
  process.on('SIGTERM', listener)
  return () => {
    process.removeListener('SIGTERM', listener)
  }
}

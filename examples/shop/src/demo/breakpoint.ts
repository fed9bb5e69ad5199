/**
 * Loaded before Alice's service (`node --import`): holds the main thread at a breakpoint, as an editor does, when it is
 * told to. No debug port is opened: a worker of the same process speaks to the inspector. Unlike a signal that stops
 * the process, this leaves its other threads running and the kernel accepting connections.
 */
import { Session } from 'node:inspector'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url))
  worker.unref()
  process.on('message', (holdMs) => {
    worker.postMessage(holdMs)
  })
} else {
  parentPort?.on('message', (holdMs: number) => {
    const session = new Session()
    session.connectToMainThread()
    session.post('Debugger.enable')
    session.post('Debugger.pause')
    setTimeout(() => {
      session.post('Debugger.resume')
      session.post('Debugger.disable')
      session.disconnect()
    }, holdMs)
  })
}

import { setImmediate } from 'node:timers/promises'

/** Runs `act` and returns what reached the process as an uncaught exception meanwhile, instead of ending it. */
export async function catchUncaught(act: () => Promise<void>): Promise<readonly unknown[]> {
  const caught: unknown[] = []
  const others = process.listeners('uncaughtException')
  const listener = (error: unknown): void => {
    caught.push(error)
  }
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', listener)
  try {
    await act()
    // A subscriber's error is thrown in a tick of its own.
    await setImmediate()
  } finally {
    process.off('uncaughtException', listener)
    for (const other of others) process.on('uncaughtException', other)
  }
  return caught
}

import { setImmediate } from 'node:timers/promises'

/**
 * Runs `act` and returns what reached the process meanwhile, instead of ending it: uncaught exceptions, or rejections that
 * nobody handled.
 */
export async function catchUncaught(
  act: () => Promise<void>,
  event: 'uncaughtException' | 'unhandledRejection' = 'uncaughtException',
): Promise<readonly unknown[]> {
  const caught: unknown[] = []
  const others = process.listeners(event as 'uncaughtException')
  const listener = (error: unknown): void => {
    caught.push(error)
  }
  process.removeAllListeners(event)
  process.on(event, listener)
  try {
    await act()
    // A subscriber's error is thrown in a tick of its own.
    await setImmediate()
  } finally {
    process.off(event, listener)
    for (const other of others) process.on(event, other)
  }
  return caught
}

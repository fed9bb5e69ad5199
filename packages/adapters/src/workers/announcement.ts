import { parentPort } from 'node:worker_threads'

/** Versioned like the envelope that it asks for. */
const KEY = '@waybill/prepared@1'

/** What one side of a port says when it can open envelopes. */
export interface Announcement {
  /** True where it also wants to be told that the other side can: it sends envelopes itself. */
  readonly [KEY]: boolean
}

export function announcement(sends: boolean): Announcement {
  return { [KEY]: sends }
}

/** Whether the sender of this wants to hear the same; undefined where it is none. */
export function readAnnouncement(message: unknown): boolean | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const sends = (message as Partial<Announcement>)[KEY]
  return typeof sends === 'boolean' ? sends : undefined
}

/** Symbol.for: several copies of the package announce a thread once. */
const ANNOUNCED = Symbol.for('@waybill/adapters.announced')

/**
 * Tells the parent that this thread or process opens envelopes, once. Not where somebody else reads the port already:
 * a pool, whose protocol knows no such message, and which is asked in another way.
 */
export function announceToParent(): void {
  const place = globalThis as { [ANNOUNCED]?: true }
  if (place[ANNOUNCED] === true) return
  place[ANNOUNCED] = true
  if (parentPort !== null) {
    if (!isReadByAnother(parentPort)) parentPort.postMessage(announcement(false))
  } else if (process.connected && process.listenerCount('message') === 0) {
    // The parent may have gone meanwhile; that is told by the messages that matter.
    process.send?.(announcement(false), undefined, undefined, () => {})
  }
}

/** True in a worker of a pool: whoever made the thread reads its port by a protocol of its own. */
export function isReadByAnother(port: { listenerCount(name: string): number }): boolean {
  return port.listenerCount('message') > 0
}

import { randomUUID } from 'node:crypto'
import { parentPort, threadId } from 'node:worker_threads'
import { optionsOf, threadSecret } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { envelopeKey } from './envelope.js'
import type { Link } from './link.js'
import { ProcessLink, type IpcHost } from './process-link.js'
import { ThreadLink } from './thread-link.js'
import { ownStart } from './worker-start.js'

/** What is used of either end to find out what it is. */
export interface LinkedHost extends IpcHost {
  readonly threadId?: number
  readonly connected?: boolean
  once?(name: string, listener: () => void): unknown
}

let parent: { readonly link: Link | undefined } | undefined

/** From a worker thread or forked process to whoever made it; undefined where nobody did. Says that it is prepared. */
export function parentLink(): Link | undefined {
  parent ??= { link: linkToParent() }
  return parent.link
}

function linkToParent(): Link | undefined {
  if (parentPort !== null) return new ThreadLink(threadId, 'worker', ownStart() !== undefined)
  if (process.connected) return new ProcessLink(process, envelopeKey(threadSecret()))
  return undefined
}

const links = new WeakMap<object, Link | undefined>()

/** True at the end of the worker. */
export function isOwnEnd(host: object): boolean {
  return host === parentPort || host === process
}

/** To the other side of this end; undefined where it is neither a worker thread nor a forked process. */
export function linkTo(kit: Kit, host: LinkedHost): Link | undefined {
  if (isOwnEnd(host)) return parentLink()
  if (!links.has(host)) links.set(host, linkToWorker(kit, host))
  return links.get(host)
}

function linkToWorker(kit: Kit, host: LinkedHost): Link | undefined {
  if (typeof host.threadId === 'number') {
    const link = new ThreadLink(host.threadId, 'parent', false)
    host.once?.('exit', () => {
      link.close()
    })
    return link
  }
  if (typeof host.send !== 'function') return undefined
  // A key for each: what one process is told opens nothing of another's.
  return new ProcessLink(host, envelopeKey(randomUUID()), () => optionsOf(kit))
}

import { Worker } from 'node:worker_threads'
import { systemClock } from '@waybill/core/adapter'
import type { Instance } from '../../instance.js'
import type { Lease, LeaseState } from '../../registry.js'
import type { BeatAnswer, LeaseLink } from './lease-link.js'
import { LeaseRegistry } from './lease-registry.js'

// A holder for the tests: registers at the server of its first argument over HTTP, with a lease of its second, and
// stands at a breakpoint for as long as it is told to.

const [, , server = '', ttl = ''] = process.argv

const ask = async (path: string, body: unknown): Promise<string> => {
  const reply = await fetch(`${server}${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${String(reply.status)} from ${path}`)
  return reply.text()
}

const link: LeaseLink = {
  kind: 'http',
  place: server,
  ttlMs: Number(ttl),
  watchMs: 0,
  connect: (_environment, listener) => {
    listener.snapshot({ size: 0, instances: [], holders: new Map() })
    return { resync: () => {}, close: () => {} }
  },
  register: (instance) => ask('/register', instance),
  beat: async () => {
    throw new Error('beats are sent beside the event loop')
  },
  deregister: async (token) => void (await ask('/deregister', token)),
  revoke: async () => [],
  beatRequest: (token) => ({
    url: `${server}/beat?host={host}`,
    method: 'POST',
    body: JSON.stringify(token),
  }),
  readBeat: (_status, body) => body as BeatAnswer,
}

/** Stops the main thread, really, as an editor's debugger does: another thread is the inspector's client. */
async function standAtBreakpoint(ms: number): Promise<void> {
  const worker = new Worker(DEBUGGER, { eval: true, workerData: ms })
  await new Promise((resolve) => worker.once('message', resolve))
  // eslint-disable-next-line no-debugger -- the statement is the point
  debugger
  await worker.terminate()
}

const DEBUGGER = `
const { Session } = require('node:inspector')
const { parentPort, workerData } = require('node:worker_threads')
const session = new Session()
session.connectToMainThread()
session.on('Debugger.paused', () => setTimeout(() => session.post('Debugger.resume'), workerData))
session.post('Debugger.enable', () => parentPort.postMessage('ready'))
setInterval(() => {}, 1000)
`

const registry = new LeaseRegistry({ link, life: 'beats', clock: systemClock, random: Math.random })
registry.open('test')
let lease: Lease | undefined
const states: LeaseState[] = []

process.on('message', (question: { register?: Instance; pauseMs?: number; release?: true }) => {
  void (async () => {
    if (question.register !== undefined) {
      lease = await registry.register(question.register)
      lease.watch((state) => states.push(state))
    }
    if (question.release === true) await lease?.release()
    const from = Date.now()
    if (question.pauseMs !== undefined) await standAtBreakpoint(question.pauseMs)
    process.send?.({ pausedMs: Date.now() - from, state: lease?.state, states })
  })()
})
process.send?.('ready')

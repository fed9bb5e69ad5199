import { Worker } from 'node:worker_threads'

/** One beat, as HTTP. `{host}` in url and body stands for the address that this machine has when it beats. */
export interface BeatRequest {
  readonly url: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A beat that was answered. */
export interface AnsweredBeat {
  readonly status: number
  /** The first 4 KiB. */
  readonly body: string
  /** How long ago it was sent, in milliseconds. */
  readonly ageMs: number
}

export interface HeartbeatOptions {
  readonly request: BeatRequest
  readonly everyMs: number
  /** How long the registry keeps an instance after a beat; a beat that takes longer is given up. */
  readonly leaseMs: number
  /** A tagged instance beats while its process lives, an untagged one only while its event loop turns. */
  readonly tagged: boolean
  /** Called for each answer; not for a beat that did not arrive. */
  readonly onBeat: (beat: AnsweredBeat) => void
}

export interface Heartbeat {
  /** No beat is sent after this; one on its way may still arrive. */
  stop(): void
}

/**
 * Beats beside the event loop, in a worker thread, so that a process that stands at a breakpoint keeps its place: the
 * inspector stops one thread. It does not keep the process alive. Costs about 30 ms once, and 10 MB.
 *
 * Nobody wants that for an instance of the shared environment whose event loop hangs: an untagged one beats only while
 * the main thread has shown itself within one lease.
 */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { request, everyMs, leaseMs, tagged, onBeat } = options
  const shown = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(SOURCE, {
    eval: true,
    // Neither the flags of a debugger nor a preloaded instrumentation belong in there, nor the secrets of the process.
    execArgv: [],
    env: {},
    name: 'waybill-heartbeat',
    workerData: { request, everyMs, leaseMs, shown: tagged ? undefined : shown },
  })
  worker.unref()
  worker.on('message', ({ status, body, sentAt }: { status: number; body: string; sentAt: number }) => {
    onBeat({ status, body, ageMs: sharedNow() - sentAt })
  })
  // A thread that cannot run sends no beats; the registry then says what it has to say about the lease.
  worker.on('error', () => {})
  const show = setInterval(() => Atomics.add(shown, 0, 1), everyMs).unref()
  return {
    stop: () => {
      clearInterval(show)
      void worker.terminate()
    },
  }
}

/** Threads have clocks of their own origin; the process has one that all of them read. In milliseconds. */
const sharedNow = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000

/**
 * CommonJS, as evaluated workers are; self-contained, since a bundler that moved it could not be followed. The address
 * is read anew for each beat: laptops change networks while they stand at a breakpoint.
 */
const SOURCE = `
const { workerData, parentPort } = require('node:worker_threads')
const { networkInterfaces } = require('node:os')
const { request, everyMs, leaseMs, shown } = workerData
const now = () => Number(process.hrtime.bigint() / 1000n) / 1000

let last = shown && Atomics.load(shown, 0)
let lastAt = now()
const mainIsThere = () => {
  if (shown === undefined) return true
  const count = Atomics.load(shown, 0)
  if (count !== last) {
    last = count
    lastAt = now()
  }
  return now() - lastAt < leaseMs
}

const beat = () => {
  if (!mainIsThere()) return
  const url = new URL(request.url)
  const { request: send } = require(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const sentAt = now()
  const outgoing = send(url, { method: request.method, headers: request.headers, agent: false, timeout: leaseMs }, (reply) => {
    let body = ''
    reply.setEncoding('utf8')
    reply.on('data', (text) => { if (body.length < 4096) body += text })
    reply.on('end', () => parentPort.postMessage({ status: reply.statusCode, body: body.slice(0, 4096), sentAt }))
    reply.on('error', () => {})
  })
  outgoing.on('timeout', () => outgoing.destroy())
  outgoing.on('error', () => {})
  outgoing.end(request.body)
}
setInterval(beat, everyMs)
beat()
`

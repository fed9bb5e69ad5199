import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { NOT_ELIGIBLE } from './announce/own-address.js'

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
  /**
   * What was registered as host. Where it was the one eligible address of this machine, each beat reads that anew:
   * laptops change networks, also while they stand at a breakpoint.
   */
  readonly host: string
  /** A tagged instance beats while its process lives, an untagged one only while its event loop turns. */
  readonly tagged: boolean
  /** Called for each answer; not for a beat that did not arrive. */
  readonly onBeat: (beat: AnsweredBeat) => void
}

export interface Heartbeat {
  /** Calls `onBeat` now for what was answered while this thread stood; a timer that fell due meanwhile runs before. */
  catchUp(): void
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
  const { request, everyMs, leaseMs, host, tagged, onBeat } = options
  const shown = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2: outlet } = new MessageChannel()
  const worker = new Worker(SOURCE, {
    eval: true,
    // Neither the flags of a debugger nor a preloaded instrumentation belong in there, nor the secrets of the process.
    execArgv: [],
    env: {},
    name: 'waybill-heartbeat',
    workerData: {
      request,
      everyMs,
      leaseMs,
      host,
      notEligible: NOT_ELIGIBLE.source,
      shown: tagged ? undefined : shown,
      outlet,
    },
    transferList: [outlet],
  })
  worker.unref()
  const take = ({ status, body, sentAt }: SentBeat): void => {
    onBeat({ status, body, ageMs: sharedNow() - sentAt })
  }
  port.on('message', take)
  port.unref()
  // A thread that cannot run sends no beats; the registry then says what it has to say about the lease.
  worker.on('error', () => {})
  const show = setInterval(() => Atomics.add(shown, 0, 1), everyMs).unref()
  return {
    catchUp: () => {
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
        take(next.message as SentBeat)
      }
    },
    stop: () => {
      clearInterval(show)
      port.close()
      void worker.terminate()
    },
  }
}

interface SentBeat {
  readonly status: number
  readonly body: string
  readonly sentAt: number
}

/** Threads have clocks of their own origin; the process has one that all of them read. In milliseconds. */
const sharedNow = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000

/**
 * CommonJS, as evaluated workers are; self-contained, since a bundler that moved it could not be followed.
 * The rule of own-address.ts stands here a second time for that reason; its names come from there.
 */
const SOURCE = `
const { workerData } = require('node:worker_threads')
const { networkInterfaces } = require('node:os')
const { request, everyMs, leaseMs, notEligible, shown, outlet } = workerData
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

const bridges = new RegExp(notEligible)
const oneAddress = () => {
  const all = Object.entries(networkInterfaces())
    .filter(([name]) => !bridges.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(?:169[.]254[.]|fe[89ab])/i.test(address))
  const v4 = all.filter(({ family }) => family === 'IPv4')
  const found = new Set((v4.length > 0 ? v4 : all).map(({ address }) => address))
  return found.size === 1 ? [...found][0] : undefined
}
let host = workerData.host
const follows = oneAddress() === host

const beat = () => {
  if (!mainIsThere()) return
  if (follows) host = oneAddress() ?? host
  const here = (text) => text?.replaceAll('{host}', host)
  const url = new URL(here(request.url))
  const { request: send } = require(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const sentAt = now()
  const outgoing = send(url, { method: request.method, headers: request.headers, agent: false, timeout: leaseMs }, (reply) => {
    let body = ''
    reply.setEncoding('utf8')
    reply.on('data', (text) => { if (body.length < 4096) body += text })
    reply.on('end', () => outlet.postMessage({ status: reply.statusCode, body: body.slice(0, 4096), sentAt }))
    reply.on('error', () => {})
  })
  outgoing.on('timeout', () => outgoing.destroy())
  outgoing.on('error', () => {})
  outgoing.end(here(request.body))
}
setInterval(beat, everyMs)
beat()
`

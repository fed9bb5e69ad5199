import { globalAgent as httpGlobalAgent, type Agent as HttpAgent } from 'node:http'
import {
  Agent as HttpsAgent,
  globalAgent as httpsGlobalAgent,
  type AgentOptions,
  type RequestOptions,
} from 'node:https'
import type { Socket } from 'node:net'
import type { Target } from '@waybill/core/adapter'
import { openConnection } from './connection.js'

/** Targets for which one agent of the application has connections at a time; a fleet has fewer instances per caller. */
const MAX_TARGETS = 256
/** After this time without a call, in milliseconds, the idle connections to a target are closed. */
const IDLE_MS = 60_000

/** The agents that an application may have named for a call. Absent ones are Node's global agents. */
export interface OwnAgents {
  readonly http?: unknown
  readonly https?: unknown
}

/**
 * The agent for calls to one target. Connections are pooled by target: one that was opened for one target never carries
 * a call for another, whatever host stands in the URLs.
 * @param protocol of the URL that is called, `http:` or `https:`; the target may speak the other one.
 * @param own what the application set for its calls; TLS options, limits and keep-alive are taken from there.
 */
export function targetAgent(protocol: string, target: Target, own: OwnAgents = {}): HttpAgent {
  const base = baseOf(target, own)
  let pool = pools.get(base)
  if (pool === undefined) pools.set(base, (pool = new TargetPool(base)))
  return pool.agent(protocol, target)
}

const pools = new WeakMap<HttpAgent, TargetPool>()

function baseOf(target: Target, own: OwnAgents): HttpAgent {
  const said = target.tls ? own.https : own.http
  if (typeof said === 'object' && said !== null) return said as HttpAgent
  return target.tls ? httpsGlobalAgent : httpGlobalAgent
}

/** The connections of one agent of the application, by target. */
class TargetPool {
  readonly #base: HttpAgent
  /** In order of their last call. */
  readonly #agents = new Map<string, TargetAgent>()

  constructor(base: HttpAgent) {
    this.#base = base
  }

  agent(protocol: string, target: Target): TargetAgent {
    const now = performance.now()
    const { host, port, tls, service, instance, connectMs, keepAlive } = target
    const key = [protocol, host, port, tls, service, instance?.id, connectMs, keepAlive].join(' ')
    const agent = this.#agents.get(key) ?? new TargetAgent(protocol, target, optionsOf(this.#base))
    this.#agents.delete(key)
    this.#agents.set(key, agent)
    agent.lastCall = now
    this.#closeIdle(now)
    return agent
  }

  /** Looks at the agents that were left longest, so that a call does not pay for the size of the pool. */
  #closeIdle(now: number): void {
    for (const [key, agent] of this.#agents) {
      if (this.#agents.size <= MAX_TARGETS && now - agent.lastCall < IDLE_MS) return
      if (agent.busy) continue
      this.#agents.delete(key)
      agent.destroy()
    }
  }
}

/** Takes over what the application said about its connections, but for environment proxies: a target is called directly. */
function optionsOf(base: HttpAgent): AgentOptions {
  const {
    path: _path,
    proxyEnv: _proxyEnv,
    ...options
  } = (base as unknown as { options?: Record<string, unknown> }).options ?? {}
  const limits: Record<string, unknown> = {}
  for (const name of [
    'keepAlive',
    'keepAliveMsecs',
    'maxSockets',
    'maxTotalSockets',
    'maxFreeSockets',
    'scheduling',
  ]) {
    const value = (base as unknown as Record<string, unknown>)[name]
    if (value !== undefined) limits[name] = value
  }
  return { ...options, ...limits }
}

/** Built on https.Agent even for plain connections: its pool tells requests with different TLS options apart. */
class TargetAgent extends HttpsAgent {
  /** Of the URLs that are called; node:http refuses an agent for another protocol. */
  protocol: string
  defaultPort: number
  lastCall = 0
  readonly #target: Target

  constructor(protocol: string, target: Target, options: AgentOptions) {
    super(options)
    this.protocol = protocol
    this.defaultPort = protocol === 'https:' ? 443 : 80
    this.#target = target
    if (target.keepAlive === false) this.maxFreeSockets = 0
  }

  get busy(): boolean {
    return isFilled(this.sockets) || isFilled(this.requests)
  }

  override createConnection(options: RequestOptions): Socket {
    return openConnection(this.#target, options)
  }
}

function isFilled(record: NodeJS.ReadOnlyDict<unknown[]>): boolean {
  // node:http leaves an empty list behind where no connection was opened.
  for (const key in record) if (record[key]?.length) return true
  return false
}

import { parseCellName, servesTag, systemClock, WaybillError } from '@waybill/core/adapter'
import type { Call, Clock, Interceptor, Next } from '@waybill/core/adapter'
import type { Balancer } from './balance/balancer.js'
import { twoChoices } from './balance/two-choices.js'
import type { ServiceCall } from './call-request.js'
import { ownHosts } from './own-hosts.js'
import type { Registry } from './registry.js'
import { routeCall } from './routed-call.js'
import { Router } from './router.js'

export interface RouteOptions {
  /** Default: the kit's own, `createKit({ registry })` or WAYBILL_REGISTRY, opened once per URL; in a worker thread the parent's. */
  readonly registry?: Registry
  /** The preferred zone. Default `az-ci` outside production, the kit's own zone in production. */
  readonly zone?: string
  /** How long a connection may take to be made, in milliseconds. The time after it never counts. Default 1000. */
  readonly connectMs?: number
  /** An untagged instance on the caller's own host comes first. Default false, since it hides how others balance. */
  readonly preferLocal?: boolean
  /** How one of several instances is taken. Default {@link twoChoices}. */
  readonly balancer?: Balancer
  /** Default the machine's own. */
  readonly clock?: Clock
}

const DEFAULT_CONNECT_MS = 1000

/**
 * The interceptor that chooses the instance: tagged calls go to who serves the tag, all others to the baseline. It also
 * looks at what arrives: a process with clks serves no other tag.
 *
 * A call that nobody may serve fails with ERR_WAYBILL_NO_PROVIDER. In a worker thread, and without a registry of its own,
 * it reads what `route` of the parent thread knows and opens none; where that does not answer, calls fail with
 * ERR_WAYBILL_PARENT_THREAD.
 */
export function route(options: RouteOptions = {}): Interceptor {
  const router = new Router(fill(options))
  const interceptor = (next: Next): Next => {
    return (call) => (isForService(call) ? routeCall(router, call, next) : next(call))
  }
  return Object.assign(interceptor, {
    sets: 'target',
    prepare: (facts) => void router.registryOf(facts),
    share: {
      name: 'route',
      serve: (facts, changed) => router.serve(facts, changed),
      follow: (facts, parent) => router.follow(facts, parent),
    },
    admit({ facts, kind, waybill }) {
      // A message is the consumer group's to judge, a task comes from this very process.
      if (facts.clks.length === 0 || (kind !== 'http' && kind !== 'rpc')) return undefined
      if (waybill.clk !== undefined && servesTag(facts.clks, waybill.clk)) return undefined
      return new WaybillError('ERR_WAYBILL_MISDIRECTED', {
        service: facts.service,
        clk: waybill.clk ?? '(untagged)',
        serves: facts.clks,
      })
    },
  } satisfies Pick<Interceptor, 'sets' | 'prepare' | 'share' | 'admit'>)
}

/** A target that stands already was set by somebody who knows better, e.g. a gateway. */
function isForService(call: Call): call is ServiceCall {
  return call.fleet && call.service !== undefined && call.target === undefined && call.kind !== 'message'
}

function fill(options: RouteOptions): ConstructorParameters<typeof Router>[0] {
  const { connectMs = DEFAULT_CONNECT_MS, zone } = options
  if (!Number.isFinite(connectMs) || connectMs <= 0) {
    throw misconfigured('route({ connectMs })', 'must be a number of milliseconds above 0')
  }
  const parsed = zone === undefined ? undefined : parseCellName(zone)
  if (zone !== undefined && parsed === undefined) {
    throw misconfigured('route({ zone })', 'must be 1 to 63 of a-z 0-9 _ -')
  }
  return {
    clock: options.clock ?? systemClock,
    connectMs,
    balancer: options.balancer ?? twoChoices(),
    registry: options.registry,
    zone: parsed,
    local: options.preferLocal === true ? ownHosts() : undefined,
  }
}

function misconfigured(option: string, problem: string): WaybillError {
  return new WaybillError('ERR_WAYBILL_CONFIGURATION', { option, problem })
}

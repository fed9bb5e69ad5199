import { baselineMark, hasSubscribers, publish, systemClock, WaybillError } from '@waybill/core/adapter'
import type { Clock, Facts } from '@waybill/core/adapter'
import { drain, listeningAddress } from './announce/announced-server.js'
import type { AnnouncedServer } from './announce/announced-server.js'
import { eligibleAddresses, isAnyAddress } from './announce/own-address.js'
import { onTerminate } from './announce/terminate.js'
import { readInstance } from './instance.js'
import type { Instance } from './instance.js'
import type { LeaseState, Registry } from './registry.js'
import { openRegistry } from './registries/open.js'

export interface AnnounceOptions {
  /** Where to register. Default: `kit.facts.registry` (WAYBILL_REGISTRY), opened once per URL. */
  readonly registry?: Registry
  /** Has one living process. Default: made of service, address and pid. */
  readonly id?: string
  /** Share of the calls among untagged instances. Default 1; 0 is never picked. */
  readonly weight?: number
  /** Free text; `role` and `authority` are read by the kit. Tags do not belong here: `createKit({ clks })`. */
  readonly metadata?: Readonly<Record<string, string>>
  /** How long requests under way may take after the server closed, in milliseconds. Default 10,000. */
  readonly drainMs?: number
  /** Default: the machine's. */
  readonly clock?: Clock
}

/** A process that can be found. */
export interface Announcement {
  readonly instance: Instance
  /** `held` while callers find it. */
  readonly state: LeaseState
  /**
   * Deregisters, waits until every watcher has heard of it, and closes the server when its requests have ended. SIGTERM
   * does the same.
   */
  close(): Promise<void>
}

const DRAIN_MS = 10_000
/** A timer of Node that is set later than that fires at once. */
const DRAIN_MS_AT_MOST = 2 ** 31 - 1

/**
 * Registers this process in the registry as soon as its server listens: with the clks of the kit on a developer's
 * machine, or as part of the baseline where `WAYBILL_BASELINE` says so.
 *
 * @throws WaybillError `ERR_WAYBILL_ANNOUNCE` with neither a clk nor the baseline mark, with both, with a mark that
 * is meant for another address, or where it cannot tell the own address; `ERR_WAYBILL_TAG_OWNED`,
 * `ERR_WAYBILL_ID_TAKEN`, and the registry's own codes; `ERR_WAYBILL_CONFIGURATION` for a `drainMs` that is none.
 */
export async function announce(
  kit: { readonly facts: Facts },
  server: AnnouncedServer,
  options: AnnounceOptions = {},
): Promise<Announcement> {
  const { facts } = kit
  refuseUnlessOneMark(facts)
  const drainMs = drainMsOf(options)
  const clock = options.clock ?? systemClock
  const registry = options.registry ?? openRegistry(registryOf(facts), facts.environment)
  registry.open(facts.environment)
  const listening = await listeningAddress(server)
  const instance = instanceOf(facts, options, addressOf(facts, registry, listening))
  const lease = await registry.register(instance)
  audit('announce', instance, registry)

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= leave())
  const ignoreTerminate = onTerminate(close)
  // A server that the application closes by itself serves nobody either.
  const onClose = (): void => void lease.release().catch(() => {})
  server.once('close', onClose)

  async function leave(): Promise<void> {
    // A registry that cannot be reached lets the lease run out; the server closes all the same.
    await lease.release().catch(() => {})
    await new Promise<void>((resolve) => {
      clock.after(registry.watchMs, resolve)
    })
    await drain(server, clock, drainMs)
    server.removeListener('close', onClose)
    ignoreTerminate()
  }

  return {
    instance,
    get state() {
      return lease.state
    },
    close,
  }
}

function drainMsOf({ drainMs = DRAIN_MS }: AnnounceOptions): number {
  // No number at all would let no request end.
  if (Number.isFinite(drainMs) && drainMs >= 0 && drainMs <= DRAIN_MS_AT_MOST) return drainMs
  throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
    option: 'announce({ drainMs })',
    problem: `must be a number of milliseconds from 0 to ${String(DRAIN_MS_AT_MOST)}`,
  })
}

function refuseUnlessOneMark(facts: Facts): void {
  const { clks, ignoredClks, baseline, baselineAddress } = facts
  const tagged = clks.length > 0
  if (!tagged && !baseline && ignoredClks.length > 0) {
    throw new WaybillError(
      'ERR_WAYBILL_ANNOUNCE',
      {
        WAYBILL_CLK: `${ignoredClks.join(',')}, ignored in production without devRouting: true`,
        WAYBILL_BASELINE: 'not set',
      },
      {
        remedy:
          'Is WAYBILL_ENVIRONMENT=production right on this machine? A developer machine is development; the shared environment sets WAYBILL_BASELINE=1.',
      },
    )
  }
  if (tagged === baseline) {
    throw new WaybillError('ERR_WAYBILL_ANNOUNCE', {
      WAYBILL_CLK: tagged ? clks.join(',') : 'not set',
      WAYBILL_BASELINE: baseline ? (baselineAddress ?? '1') : 'not set',
    })
  }
  if (baselineMark(facts) === 'elsewhere') {
    throw new WaybillError(
      'ERR_WAYBILL_ANNOUNCE',
      {
        WAYBILL_BASELINE: baselineAddress,
        why: 'this machine does not have the address that the mark is meant for',
      },
      { remedy: 'Unset WAYBILL_BASELINE, which came from elsewhere, and set WAYBILL_CLK.' },
    )
  }
}

function registryOf({ registry }: Facts): string {
  if (registry !== undefined) return registry
  throw new WaybillError(
    'ERR_WAYBILL_REGISTRY',
    { registry: 'not set' },
    {
      remedy:
        'In production say it: createKit({ registry }) or WAYBILL_REGISTRY, or announce(kit, server, { registry }).',
    },
  )
}

/** Said by the operator, else where the server listens, else the one address under which others may call. */
function addressOf(
  { advertise }: Facts,
  registry: Registry,
  listening: { readonly address: string; readonly port: number },
): { readonly host: string; readonly port: number } {
  if (advertise !== undefined) {
    const colon = advertise.lastIndexOf(':')
    return { host: advertise.slice(0, colon), port: Number(advertise.slice(colon + 1)) }
  }
  const { address, port } = listening
  if (!isAnyAddress(address)) return { host: address, port }
  // Who tells life from the process sits on its machine, where loopback works with any network, and without one.
  if (registry.life === 'process') return { host: '127.0.0.1', port }
  const eligible = eligibleAddresses()
  const [host, another] = eligible
  if (host !== undefined && another === undefined) return { host, port }
  throw new WaybillError(
    'ERR_WAYBILL_ANNOUNCE',
    {
      addresses: eligible,
      why: host === undefined ? 'no address that others could call' : 'several addresses',
    },
    { remedy: 'Say which: WAYBILL_ADVERTISE=host:port or createKit({ advertise }).' },
  )
}

function instanceOf(
  facts: Facts,
  { id, weight, metadata }: AnnounceOptions,
  { host, port }: { readonly host: string; readonly port: number },
): Instance {
  const { service, environment, cell, zone, clks, owner } = facts
  const reading = readInstance({
    id: id ?? `${service}@${host}:${String(port)}/${String(process.pid)}`,
    environment,
    service,
    host,
    port,
    ...(cell === undefined ? {} : { cell }),
    ...(zone === undefined ? {} : { zone }),
    clks,
    owner,
    ...(weight === undefined ? {} : { weight }),
    ...(metadata === undefined ? {} : { metadata }),
  })
  if ('instance' in reading) return reading.instance
  const problem = reading.problems[0]
  throw new WaybillError(
    'ERR_WAYBILL_ANNOUNCE',
    { field: problem?.field, problem: problem?.message },
    { remedy: REMEDIES[problem?.field ?? ''] ?? 'Correct the field.' },
  )
}

const CLKS = 'Say tags by createKit({ clks }) or WAYBILL_CLK.'
const REMEDIES: Readonly<Record<string, string>> = { 'metadata.clk': CLKS, 'metadata.clks': CLKS, clks: CLKS }

function audit(
  action: string,
  { id, service, environment, clks, owner, host, port }: Instance,
  { kind }: Registry,
): void {
  if (!hasSubscribers('audit')) return
  publish('audit', {
    action,
    facts: { instance: id, service, environment, clks, owner, host, port, registry: kind },
  })
}

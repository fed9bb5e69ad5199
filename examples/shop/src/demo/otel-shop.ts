import { Fleet } from './fleet.js'
import type { RunningService, ServiceStart } from './process-group.js'
import { aliceInventory, shared } from './shop.js'
import { Stranger } from './stranger.js'
import { Traces } from './traces.js'

/** The shop under OpenTelemetry: a shared zone, two developers, `shipping` without the kit, and two strangers. */
export interface OtelShop {
  readonly web: RunningService
  readonly traces: Traces
  start(service: ServiceStart): Promise<RunningService>
  /** Ends every process and removes the registry. */
  close(): Promise<void>
}

const ANNOUNCED = { order: 1, inventory: 2, payment: 1, warehouse: 2 } as const

/** Spans go nowhere but to the demo, metrics and logs nowhere at all: there need not be a collector. */
const OTEL = {
  OTEL_METRICS_EXPORTER: 'none',
  OTEL_LOGS_EXPORTER: 'none',
  OTEL_NODE_RESOURCE_DETECTORS: 'env',
}

/** A service with the SDK on, whose spans say which instance of it made them. */
export function traced(start: ServiceStart): ServiceStart {
  const { service, env } = start
  const instance = env['WAYBILL_CLK'] ?? env['WAYBILL_ZONE'] ?? ''
  return {
    preloads: ['telemetry.js'],
    ...start,
    env: {
      OTEL_SERVICE_NAME: service,
      ...(instance !== '' && { OTEL_RESOURCE_ATTRIBUTES: `service.instance.id=${instance}` }),
      ...env,
    },
  }
}

/** The entry, as the shared environment starts it. */
export const entry: ServiceStart = {
  service: 'web',
  owner: 'ci-web',
  env: { PORT: '0', WAYBILL_ZONE: 'az-ci' },
}

/** Starts everything and waits until all that announce are registered. */
export async function openOtelShop(): Promise<OtelShop> {
  const bank = await Stranger.open('bank')
  const carrier = await Stranger.open('carrier')
  const closeStrangers = (): void => {
    bank.close()
    carrier.close()
  }
  try {
    return await Fleet.open(OTEL, (fleet) => startAll(fleet, bank, carrier, closeStrangers))
  } catch (error) {
    closeStrangers()
    throw error
  }
}

async function startAll(
  fleet: Fleet,
  bank: Stranger,
  carrier: Stranger,
  closeStrangers: () => void,
): Promise<OtelShop> {
  const start = (service: ServiceStart): Promise<RunningService> => fleet.start(traced(service))
  const inventory = await start({ service: 'inventory', owner: 'ci-inventory', env: shared('az-ci') })
  const shipping = await start({
    service: 'shipping',
    owner: 'ci-shipping',
    preloads: ['telemetry-alone.js'],
    env: { INVENTORY_URL: inventory.url, CARRIER_URL: carrier.url },
  })
  const [web, ...others] = await Promise.all([
    start(entry),
    start({ service: 'order', owner: 'ci-order', env: { ...shared('az-ci'), SHIPPING_URL: shipping.url } }),
    start({ service: 'payment', owner: 'ci-payment', env: { ...shared('az-ci'), BANK_URL: bank.url } }),
    start({ service: 'warehouse', owner: 'ci-warehouse', env: shared('az-ci') }),
    start({ ...aliceInventory('alice@laptop'), debuggable: false }),
    start({ service: 'warehouse', owner: 'bob@laptop', env: { WAYBILL_CLK: 'bob' } }),
  ])
  await fleet.registered(ANNOUNCED)
  return {
    web,
    traces: new Traces([inventory, shipping, web, ...others], [bank, carrier]),
    start,
    async close() {
      await fleet.close()
      closeStrangers()
    },
  }
}

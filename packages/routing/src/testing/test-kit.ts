import { createKit } from '@waybill/core'
import type { Kit, KitOptions } from '@waybill/core'
import { WaybillError } from '@waybill/core/adapter'
import type { InstanceInput } from '../instance-list.js'
import { readInstance } from '../instance.js'
import type { Instance } from '../instance.js'
import { memoryRegistry } from '../registries/memory.js'
import { route } from '../route.js'
import type { RouteOptions } from '../route.js'

/** An instance as a test writes it: host, port and service; a tagged one has clks. */
export type TestInstance = InstanceInput & Pick<Instance, 'service'>

/** What a test says of its kit; all of it may be left out. */
export interface TestKitOptions extends Omit<KitOptions, 'interceptors' | 'registry'> {
  /** Who can be called, from the beginning. Their owner is `test` where none is said. Default nobody. */
  readonly instances?: readonly TestInstance[]
  readonly route?: Omit<RouteOptions, 'registry'>
}

/**
 * A kit for tests of an application: service `test` in environment `test`, with `route()` over the instances that the
 * test names, and nothing of the machine's registry. Under any test runner.
 *
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for an instance that cannot be read, naming its fields.
 */
export function testKit({ instances = [], route: routeOptions, ...options }: TestKitOptions = {}): Kit {
  const { service = 'test', environment = 'test' } = options
  const registry = memoryRegistry({ instances: instances.map((each) => read(each, environment)) })
  return createKit({
    ...options,
    service,
    environment,
    interceptors: [route({ ...routeOptions, registry })],
  })
}

function read(instance: TestInstance, environment: string): Instance {
  const owner = instance.clks === undefined ? {} : { owner: 'test' }
  const reading = readInstance({ ...owner, ...instance }, { environment })
  if ('instance' in reading) return reading.instance
  throw new WaybillError('ERR_WAYBILL_CONFIGURATION', { option: 'instances', problems: reading.problems })
}

import { noSuchOption } from './check-argument.js'
import { WaybillError } from './errors.js'
import type { Interceptor } from './call.js'
import type { FieldOptions } from './field.js'
import type { ServiceOptions } from './services.js'
import type { Inbound } from './trust.js'
import type { AliasOptions, NameOptions } from './wire-names.js'

/** Who is believed, and who is told. */
export interface TrustOptions {
  /** Who listeners believe; default `peer` outside production, where it must be said. Variable `WAYBILL_INBOUND`. */
  readonly inbound?: Inbound
  /** Where an `edge` takes the clk from, in this order; default `['header:clk']`. Also `cookie:clk`, `query:clk`. */
  readonly edgeFrom?: readonly string[]
  /**
   * Who a `peer` listener believes: CIDR ranges, addresses, `tls:NAME`, `unix`. Default loopback and private ranges;
   * in production it must be said. Variable `WAYBILL_PEERS`, separated by commas.
   */
  readonly peers?: readonly string[]
  /** Topics whose messages are believed and get a waybill, as patterns with `*`; default all. */
  readonly topics?: readonly string[]
  /** Hosts that are no service and yet get a waybill: `host`, `host:port`, `*.domain`. Default none. Variable `WAYBILL_OUTBOUND`. */
  readonly outbound?: readonly string[]
  /** Host names without dot or port that are no service; `localhost` never is one. Variable `WAYBILL_NOT_SERVICES`. */
  readonly notServices?: readonly string[]
}

/** Options of `createKit`. One that is missing is taken from its environment variable; an option beats its variable. */
export interface KitOptions {
  /** Name of this service; trimmed, lower-cased. Required. `WAYBILL_SERVICE`. */
  readonly service?: string
  /** `development`, `test`, `staging`, `production`, or `dev`, `ci`, `pre`, `prod`. Required. `WAYBILL_ENVIRONMENT`, `DEPLOY_ENV`. */
  readonly environment?: string
  /** The cell of this process. `WAYBILL_CELL`, `APP_CELL`. */
  readonly cell?: string
  /** The availability zone of this process. `WAYBILL_ZONE`. */
  readonly zone?: string
  /** The tag or tags that this process serves, as a list or separated by commas. `WAYBILL_CLK`. */
  readonly clks?: string | readonly string[]
  /** Who owns the tags; default `user@host`. `WAYBILL_OWNER`. */
  readonly owner?: string
  /** Marks an instance of the shared environment; a text names the address that the mark is meant for. `WAYBILL_BASELINE`. */
  readonly baseline?: boolean | string
  /** URL of the registry; default `directory:` outside production. `WAYBILL_REGISTRY`. */
  readonly registry?: string
  /** `host:port` under which others reach this process. `WAYBILL_ADVERTISE`. */
  readonly advertise?: string
  /** True: adapters are the identity from the start. `WAYBILL_DISABLED`. */
  readonly disabled?: boolean
  /** Which untagged requests adopt the process's own clk: from this machine (default), any, none. Messages and tasks never do. */
  readonly adoptOwnClk?: 'loopback' | 'any' | 'never'
  /** True: a clk counts in production too. Default false. */
  readonly devRouting?: boolean
  /** False: calls made in no scope are not reported. Default true; never in production. */
  readonly detectLoss?: boolean
  /** Other names of facts on the wire. */
  readonly names?: NameOptions
  /** Conventions of other tools that are read, or read and written. Default none. */
  readonly aliases?: AliasOptions
  /** Extra fields of the waybill, by name. */
  readonly fields?: Readonly<Record<string, FieldOptions>>
  /** How services are recognised and treated, by name. */
  readonly services?: Readonly<Record<string, ServiceOptions>>
  readonly trust?: TrustOptions
  /** What stands between adapters and the wire; the first is the outermost. */
  readonly interceptors?: readonly Interceptor[]
}

type Names<Options> = { readonly [Name in keyof Required<Options>]: true }

const KIT: Names<KitOptions> = {
  service: true,
  environment: true,
  cell: true,
  zone: true,
  clks: true,
  owner: true,
  baseline: true,
  registry: true,
  advertise: true,
  disabled: true,
  adoptOwnClk: true,
  devRouting: true,
  detectLoss: true,
  names: true,
  aliases: true,
  fields: true,
  services: true,
  trust: true,
  interceptors: true,
}

const TRUST: Names<TrustOptions> = {
  inbound: true,
  edgeFrom: true,
  peers: true,
  topics: true,
  outbound: true,
  notServices: true,
}

/**
 * A misspelt option would silently mean its default, and under `trust` that may be a hole.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION naming the option that there is not.
 */
export function checkOptionNames(options: KitOptions): void {
  check('', options, KIT)
  if (options.trust !== undefined) check('trust.', options.trust, TRUST)
}

function check(prefix: string, options: object, known: object): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
      option: `${prefix}${name}`,
      problem: noSuchOption(known),
    })
  }
}

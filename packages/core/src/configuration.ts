import { isIP } from 'node:net'
import { hostname, userInfo } from 'node:os'
import { WaybillError } from './errors.js'
import type { Environment, Facts } from './facts.js'
import type { KitOptions, TrustOptions } from './kit-options.js'
import { printableText } from './printable-text.js'
import { parseCellName, parseClkPattern, tagOf } from './tag.js'
import type { Inbound } from './trust.js'

/** An option that has an environment variable. `docs/configuration.md` is held equal to this table by a test. */
export interface ConfigurationEntry {
  readonly option: string
  /** In the order in which they are asked; the first that is set counts. */
  readonly variables: readonly string[]
  readonly default: string
}

/** Every option that the environment may fill. */
export const configurationTable: readonly ConfigurationEntry[] = [
  { option: 'service', variables: ['WAYBILL_SERVICE'], default: 'required' },
  { option: 'environment', variables: ['WAYBILL_ENVIRONMENT', 'DEPLOY_ENV'], default: 'required' },
  { option: 'cell', variables: ['WAYBILL_CELL', 'APP_CELL'], default: 'none' },
  { option: 'zone', variables: ['WAYBILL_ZONE'], default: 'none' },
  { option: 'clks', variables: ['WAYBILL_CLK'], default: 'none' },
  { option: 'owner', variables: ['WAYBILL_OWNER'], default: 'user@host' },
  { option: 'baseline', variables: ['WAYBILL_BASELINE'], default: 'false' },
  { option: 'trust.inbound', variables: ['WAYBILL_INBOUND'], default: 'peer; in production it must be said' },
  {
    option: 'trust.peers',
    variables: ['WAYBILL_PEERS'],
    default: 'loopback and private ranges, Unix sockets; for a peer in production it must be said',
  },
  { option: 'trust.outbound', variables: ['WAYBILL_OUTBOUND'], default: 'none' },
  { option: 'trust.notServices', variables: ['WAYBILL_NOT_SERVICES'], default: 'none' },
  {
    option: 'registry',
    variables: ['WAYBILL_REGISTRY'],
    default: 'directory:; in production it must be said',
  },
  { option: 'advertise', variables: ['WAYBILL_ADVERTISE'], default: 'the address of the listening server' },
  { option: 'disabled', variables: ['WAYBILL_DISABLED'], default: 'false' },
]

/** Environment variables by name, as `process.env`. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

const ENVIRONMENTS: Readonly<Record<string, Environment>> = {
  development: 'development',
  dev: 'development',
  test: 'test',
  ci: 'test',
  staging: 'staging',
  pre: 'staging',
  production: 'production',
  prod: 'production',
}

/** What the options and the environment say, checked. */
export interface Configuration {
  readonly facts: Facts
  readonly disabled: boolean
  /** The options, with the lists that the environment fills. Their entries are checked by who uses them. */
  readonly trust: TrustOptions
}

/**
 * Checks and fills the options that make up {@link Facts}. A variable that is set to nothing counts as absent.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION naming the option and its variable.
 */
export function configure(options: KitOptions, env: EnvironmentVariables): Configuration {
  const service = required('service', text('service', options.service, env))
  const environment = environmentOf(required('environment', text('environment', options.environment, env)))
  const production = environment === 'production'
  const carriesClk = !production || options.devRouting === true
  const said = clksOf(text('clks', options.clks, env))
  const clks = carriesClk ? said : []
  const baseline = baselineOf(text('baseline', options.baseline, env))
  // Also where the tags do not count: tools copy a pod's environment to laptops, and none may join the baseline by that.
  if (said.length > 0 && baseline !== false) {
    throw refused(
      'baseline',
      'set together with clks (WAYBILL_CLK); an instance is tagged or baseline, never both',
      "Unset WAYBILL_BASELINE on a developer's machine, or WAYBILL_CLK in the shared environment.",
    )
  }
  const inbound = inboundOf(text('trust.inbound', options.trust?.inbound, env), production)
  const trust = trustOf(options.trust ?? {}, env)
  const peersSaid = trust.peers !== undefined
  if (production && inbound === 'peer' && !peersSaid) {
    throw refused(
      'trust.peers',
      'must be said in production, where private addresses prove nothing',
      "Set WAYBILL_PEERS=10.1.0.0/16,tls:*.fleet.example, or pass createKit({ trust: { peers: ['10.1.0.0/16', 'tls:*.fleet.example'] } }).",
    )
  }
  const first = clks[0]
  return {
    facts: {
      service: serviceOf(service),
      environment,
      production,
      cell: nameOf('cell', text('cell', options.cell, env)),
      zone: nameOf('zone', text('zone', options.zone, env)),
      clks,
      clk: first === undefined ? undefined : tagOf(first),
      ignoredClks: carriesClk ? [] : said,
      owner: checkedText('owner', text('owner', options.owner, env) ?? defaultOwner()),
      baseline: baseline !== false,
      baselineAddress: typeof baseline === 'string' ? baseline : undefined,
      registry: text('registry', options.registry, env) ?? (production ? undefined : 'directory:'),
      advertise: advertiseOf(text('advertise', options.advertise, env)),
      carriesClk,
      inbound,
      peersSaid,
    },
    disabled: flag('disabled', text('disabled', options.disabled, env)),
    trust,
  }
}

function trustOf(options: TrustOptions, env: EnvironmentVariables): TrustOptions {
  const filled: { -readonly [Name in keyof TrustOptions]: TrustOptions[Name] } = { ...options }
  for (const name of ['peers', 'outbound', 'notServices'] as const) {
    const said = options[name] ?? listOf(text(`trust.${name}`, undefined, env))
    if (said !== undefined) filled[name] = said
  }
  return filled
}

/** Entries between commas; spaces around them, and a comma too many, say nothing. */
function listOf(value: string | undefined): readonly string[] | undefined {
  const entries = value?.split(',').map((entry) => entry.trim())
  return entries?.filter((entry) => entry !== '')
}

function entryOf(option: string): ConfigurationEntry | undefined {
  return configurationTable.find((entry) => entry.option === option)
}

function refused(option: string, problem: string, remedy?: string): WaybillError {
  const variables = entryOf(option)?.variables.join(' or ')
  return new WaybillError(
    'ERR_WAYBILL_CONFIGURATION',
    { option, variable: variables, problem },
    remedy === undefined ? {} : { remedy },
  )
}

/** The option as text, else the first of its variables that is set to something. */
function text(
  option: string,
  value: string | boolean | readonly string[] | undefined,
  env: EnvironmentVariables,
): string | undefined {
  if (value !== undefined) {
    if (typeof value === 'string') return value.trim()
    if (typeof value === 'boolean') return String(value)
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',')
    throw refused(option, `a ${typeof value}`)
  }
  for (const variable of entryOf(option)?.variables ?? []) {
    const set = env[variable]?.trim()
    if (set !== undefined && set !== '') return set
  }
  return undefined
}

function required(option: string, value: string | undefined): string {
  if (value === undefined || value === '') {
    const variable = entryOf(option)?.variables[0] ?? option
    throw refused(option, 'missing', `Set ${variable}, or pass createKit({ ${option} }).`)
  }
  return value
}

/** Hosts are lower case and of these characters, so a service with another name would never be found by one. */
function serviceOf(value: string): string {
  const service = value.toLowerCase()
  if (/^[a-z0-9_](?:[a-z0-9_.-]{0,126}[a-z0-9_])?$/.test(service)) return service
  throw refused(
    'service',
    `${JSON.stringify(value)} is no name for a service ([a-z0-9_.-], at most 128 characters)`,
  )
}

function checkedText(option: string, value: string): string {
  const checked = printableText(value)
  if (checked === undefined || checked === '')
    throw refused(option, 'not printable ASCII of at most 128 characters')
  return checked
}

function environmentOf(value: string): Environment {
  const environment = Object.hasOwn(ENVIRONMENTS, value.toLowerCase())
    ? ENVIRONMENTS[value.toLowerCase()]
    : undefined
  if (environment === undefined) {
    throw refused(
      'environment',
      `${JSON.stringify(value)} is none of ${Object.keys(ENVIRONMENTS).join(', ')}`,
    )
  }
  return environment
}

function clksOf(value: string | undefined): readonly string[] {
  if (value === undefined || value === '') return []
  const clks = value.split(',').map((one) => {
    const clk = parseClkPattern(one)
    if (clk === undefined) {
      throw refused(
        'clks',
        `${JSON.stringify(one.trim())} is no clk (letters, digits and -, dots between segments, at most 63 characters, .* at the end for all below)`,
      )
    }
    return clk
  })
  return [...new Set(clks)]
}

/** The mark is `1` or `true`, or the address that it is meant for. */
function baselineOf(value: string | undefined): boolean | string {
  if (value === undefined || isNo(value)) return false
  if (isYes(value)) return true
  if (isIP(value) !== 0) return value
  throw refused(
    'baseline',
    `${JSON.stringify(value)} is neither 1, 0 nor the IP address that the mark is meant for`,
  )
}

function inboundOf(value: string | undefined, production: boolean): Inbound {
  if (value === undefined) {
    if (production) {
      throw refused(
        'trust.inbound',
        'missing; in production it must be said who is believed',
        'Set WAYBILL_INBOUND to public, edge or peer. peer also needs trust.peers, and route() and announce() a WAYBILL_REGISTRY.',
      )
    }
    return 'peer'
  }
  const inbound = value.toLowerCase()
  if (inbound === 'public' || inbound === 'edge' || inbound === 'peer') return inbound
  throw refused('trust.inbound', `${JSON.stringify(value)} is none of public, edge, peer`)
}

function nameOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const name = parseCellName(value)
  if (name === undefined)
    throw refused(option, `${JSON.stringify(value)} is no name ([a-z0-9_-], at most 63 characters)`)
  return name
}

function advertiseOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const match = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/.exec(value)
  if (match === null || Number(match[2]) < 1 || Number(match[2]) > 65535) {
    throw refused('advertise', `${JSON.stringify(value)} is not host:port`)
  }
  return value
}

function flag(option: string, value: string | undefined): boolean {
  if (value === undefined || isNo(value)) return false
  if (isYes(value)) return true
  throw refused(option, `${JSON.stringify(value)} is neither 1 nor 0`)
}

function isYes(value: string): boolean {
  return ['1', 'true', 'yes', 'on'].includes(value.toLowerCase())
}

function isNo(value: string): boolean {
  return ['', '0', 'false', 'no', 'off'].includes(value.toLowerCase())
}

function defaultOwner(): string {
  let user: string
  try {
    user = userInfo().username
  } catch {
    // A container may run under a user id that has no name.
    user = String(process.getuid?.() ?? 'user')
  }
  // Nobody chose this text, so it is made to fit instead of being refused.
  return `${user}@${hostname()}`.replace(/[^\x20-\x7e]/g, '_').slice(0, 128)
}

import { UNREAD_SLOT } from './baggage.js'
import { WaybillError } from './errors.js'
import type { FieldDefinition } from './field.js'

/** The names of one fact on the wire, in lower case. */
export interface FactNames {
  readonly header: string
  readonly baggage: string
}

/** The facts whose names may be configured. */
export type NamedFact = 'clk' | 'shardKey' | 'hopCount' | 'targetUnit'

/** `createKit({ names })`: other names for facts, by header or by baggage member. */
export type NameOptions = { readonly [Fact in NamedFact]?: Partial<FactNames> }

/** Wire format v1. */
export const DEFAULT_NAMES: { readonly [Fact in NamedFact]: FactNames } = {
  clk: { header: 'clk', baggage: 'clk' },
  shardKey: { header: 'x-shard-key', baggage: 'shard-key' },
  hopCount: { header: 'x-hop-count', baggage: 'hop-count' },
  targetUnit: { header: 'x-target-unit', baggage: 'target-unit' },
}

/** The depth has no dedicated header; its member is written on every call of a kit. */
export const DEPTH_MEMBER = 'waybill-depth'
/** Asks that the reply tells who served, `1`; passed on to the services that are called. */
export const EXPLAIN_HEADER = 'waybill-explain'
/** Tells in a reply who served. */
export const ROUTE_HEADER = 'waybill-route'
/** Holds the code of a refusal of the kit in a reply. */
export const REFUSED_HEADER = 'waybill-refused'

/** Conventions of other tools for a routing tag. Sources: the tools' own documentation. */
export const ALIASES = {
  signadot: { baggage: 'sd-routing-key' },
  mirrord: { baggage: 'mirrord-session' },
  okteto: { baggage: 'okteto-divert' },
  dubbo: { header: 'dubbo.tag' },
  'dubbo-force': { header: 'dubbo.force.tag' },
  mse: { header: 'x-mse-tag' },
  // Its transitive metadata travel as one header each, the key behind this prefix.
  'spring-cloud-tencent': { header: 'x-sct-metadata-transitive-clk' },
  'kt-env': { header: 'x-virtual-env' },
} as const satisfies Record<string, Partial<FactNames>>

/** A convention of the alias table. */
export type AliasName = keyof typeof ALIASES

/** `createKit({ aliases })`: which other conventions are read, or read and written. */
export type AliasOptions = { readonly [Name in AliasName]?: 'read' | 'read-write' }

interface Alias extends Partial<FactNames> {
  readonly write: boolean
}

/** Slots of {@link WireNames.members}; declared fields and aliases follow. */
export const SLOT = { clk: 0, shardKey: 1, hopCount: 2, targetUnit: 3, depth: 4, extras: 5 } as const

/** Every name that is ours on the wire of one kit. */
export interface WireNames {
  readonly facts: { readonly [Fact in NamedFact]: FactNames }
  readonly fields: readonly FieldDefinition[]
  readonly aliases: readonly (Alias & { readonly slot: number })[]
  /** Dedicated headers that are ours, `waybill-explain` among them, `baggage` not. */
  readonly headers: readonly string[]
  /** Baggage members that are ours, with the slot of each. */
  readonly members: ReadonlyMap<string, number>
}

// A token of HTTP but for %, which hops that decode the names of members would not hand on unchanged.
const TOKEN = /^[a-z0-9!#$&'*+.^_`|~-]{1,63}$/

/** Headers by which HTTP itself finds its way: a fact under one of these would break the request. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'baggage',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Checks the configured names and lays out the slots.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for a name that is no token, is reserved or is given twice.
 */
export function wireNames(
  names: NameOptions,
  aliases: AliasOptions,
  fields: readonly FieldDefinition[],
): WireNames {
  for (const fact of Object.keys(names)) {
    if (!Object.hasOwn(DEFAULT_NAMES, fact)) {
      throw configurationError(`names.${fact}`, `no fact; one of ${Object.keys(DEFAULT_NAMES).join(', ')}`)
    }
  }
  const facts = Object.fromEntries(
    (Object.keys(DEFAULT_NAMES) as NamedFact[]).map((fact) => [
      fact,
      {
        header: checkName(`names.${fact}.header`, names[fact]?.header ?? DEFAULT_NAMES[fact].header),
        baggage: checkName(`names.${fact}.baggage`, names[fact]?.baggage ?? DEFAULT_NAMES[fact].baggage),
      },
    ]),
  ) as { [Fact in NamedFact]: FactNames }

  const members = new Map<string, number>()
  const headers = new Set<string>([EXPLAIN_HEADER])
  // A default name keeps its meaning where it is not used: a hop with the defaults would read it by that.
  const take = (option: string, name: string, slot: number): void => {
    if (members.has(name) || isDefaultOfAnother('baggage', name, slot)) {
      throw configurationError(option, `${name} is the name of another fact`)
    }
    members.set(name, slot)
  }
  const takeHeader = (option: string, name: string, slot: number): void => {
    if (headers.has(name) || isDefaultOfAnother('header', name, slot)) {
      throw configurationError(option, `${name} is the name of another fact`)
    }
    headers.add(name)
  }
  for (const fact of Object.keys(facts) as NamedFact[]) {
    take(`names.${fact}.baggage`, facts[fact].baggage, SLOT[fact])
    takeHeader(`names.${fact}.header`, facts[fact].header, SLOT[fact])
  }
  take('fields', DEPTH_MEMBER, SLOT.depth)
  fields.forEach((field, index) => {
    if (field.baggage !== undefined) take(`fields.${field.name}`, field.baggage, SLOT.extras + index)
  })
  const enabled = (Object.keys(aliases) as AliasName[]).map((name, index) => {
    const alias: Partial<FactNames> | undefined = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined
    const mode = aliases[name]
    if (alias === undefined || (mode !== 'read' && mode !== 'read-write')) {
      throw configurationError(
        `aliases.${name}`,
        `one of ${Object.keys(ALIASES).join(', ')}, as 'read' or 'read-write'`,
      )
    }
    const slot = SLOT.extras + fields.length + index
    if (alias.baggage !== undefined) take(`aliases.${name}`, alias.baggage, slot)
    if (alias.header !== undefined) takeHeader(`aliases.${name}`, alias.header, slot)
    return { ...alias, slot, write: mode === 'read-write' }
  })
  // The default names stay ours where others are configured: a hop with the defaults would believe them.
  for (const fact of Object.values(DEFAULT_NAMES)) {
    headers.add(fact.header)
    if (!members.has(fact.baggage)) members.set(fact.baggage, UNREAD_SLOT)
  }
  return { facts, fields: [...fields], aliases: enabled, headers: [...headers], members }
}

function checkName(option: string, name: unknown): string {
  const lower = typeof name === 'string' ? name.toLowerCase() : ''
  if (!TOKEN.test(lower) || lower.startsWith('waybill-') || OF_HTTP.has(lower)) {
    throw configurationError(option, `${JSON.stringify(name)} is reserved or no header name`)
  }
  return lower
}

function isDefaultOfAnother(place: keyof FactNames, name: string, slot: number): boolean {
  return (Object.keys(DEFAULT_NAMES) as NamedFact[]).some(
    (fact) => DEFAULT_NAMES[fact][place] === name && SLOT[fact] !== slot,
  )
}

function configurationError(option: string, problem: string): WaybillError {
  return new WaybillError('ERR_WAYBILL_CONFIGURATION', { option, problem })
}

import { WaybillError } from './errors.js'
import { rendezvous } from './rendezvous.js'

/**
 * An extra field of the waybill, declared by `createKit({ fields: { tenant: { baggage: 'tenant' } } })`.
 * With a baggage name it travels as that member and is believed like the shard key; without, it never leaves the process.
 */
export interface FieldDefinition {
  readonly name: string
  readonly baggage: string | undefined
}

/** Options of one declared field. */
export interface FieldOptions {
  /** Name of the baggage member; absent: the field is local to the process. */
  readonly baggage?: string
}

const NAME = /^[a-z][A-Za-z0-9_-]{0,62}$/
const TOKEN = /^[a-z0-9!#$&'*+.^_`|~-]{1,63}$/
const TAKEN = new Set(['clk', 'shardKey', 'hopCount', 'targetUnit', 'depth', 'shardHash'])

/**
 * What would be declared with these fields too: all that the process has, then the new ones in order. Nothing is
 * declared yet, so that a kit that is refused leaves nothing behind for the next.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for a name that is no plain word, is taken, or is declared differently.
 */
export function withFields(fields: Readonly<Record<string, FieldOptions>>): readonly FieldDefinition[] {
  const all = [...rendezvous().declared]
  for (const name of Object.keys(fields)) {
    const baggage = fields[name]?.baggage
    const refuse = (problem: string): never => {
      throw new WaybillError('ERR_WAYBILL_CONFIGURATION', { option: `fields.${name}`, problem })
    }
    if (!NAME.test(name) || TAKEN.has(name) || name in Object.prototype) refuse('not a name for a field')
    if (baggage !== undefined && (!TOKEN.test(baggage) || baggage.startsWith('waybill-'))) {
      refuse('not a name for a baggage member (lower case; waybill- is reserved)')
    }
    const known = all.find((field) => field.name === name)
    if (known === undefined) all.push({ name, baggage })
    else if (known.baggage !== baggage) refuse(`declared before as ${known.baggage ?? 'local'}`)
  }
  return all
}

/** Declares them for the whole process, once per name. */
export function declareFields(fields: readonly FieldDefinition[]): void {
  const { declared } = rendezvous()
  for (const field of fields) {
    if (!declared.some(({ name }) => name === field.name)) declared.push(field)
  }
}

/** Place of a declared field in every waybill of this process; undefined where nobody declared it. */
export function fieldIndex(name: string): number | undefined {
  const index = rendezvous().declared.findIndex((field) => field.name === name)
  return index === -1 ? undefined : index
}

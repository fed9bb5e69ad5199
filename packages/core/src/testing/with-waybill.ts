import { fieldIndex } from '../field.js'
import { WaybillError } from '../errors.js'
import { Request } from '../request.js'
import { runInScope } from '../scope.js'
import { checkShardKey } from '../shard-key.js'
import { EMPTY_FACTS, WaybillRecord } from '../waybill.js'

/** The facts that a test wants to be current. */
export interface WaybillFields {
  readonly clk?: string
  readonly shardKey?: string
  readonly hopCount?: number
  readonly targetUnit?: string
  readonly depth?: number
  /** Declared extra fields, by name. */
  readonly fields?: Readonly<Record<string, string>>
}

/**
 * Runs a test's body in a request with these facts and returns what it returns. A waybill that a `beforeEach` hook
 * enters is not seen by the test: wrap the body.
 * @throws WaybillError ERR_WAYBILL_INVALID_VALUE for a fact that no request could have.
 */
export function withWaybill<T>(fields: WaybillFields, fn: () => T): T {
  const request = new Request()
  const depth = fields.depth ?? 0
  if (!Number.isInteger(depth) || depth < 0) {
    throw new WaybillError('ERR_WAYBILL_INVALID_VALUE', {
      field: 'depth',
      problem: 'not a whole number from 0',
    })
  }
  const extras: (string | undefined)[] = []
  for (const [name, value] of Object.entries(fields.fields ?? {})) {
    const index = fieldIndex(name)
    if (index === undefined) {
      throw new WaybillError('ERR_WAYBILL_INVALID_VALUE', {
        field: name,
        problem: 'not declared by createKit({ fields })',
      })
    }
    extras[index] = value
  }
  const waybill = new WaybillRecord({ ...EMPTY_FACTS, depth, extras }, request).with({
    clk: fields.clk,
    targetUnit: fields.targetUnit,
    ...(fields.hopCount === undefined ? {} : { hopCount: fields.hopCount }),
  })
  if (fields.shardKey !== undefined) {
    checkShardKey(fields.shardKey)
    waybill.bindKey(fields.shardKey)
  }
  return runInScope(waybill, fn)
}

import assert from 'node:assert/strict'

/** A fault that a law needs. Its absence is what a record's `no` speaks of, so it fails the law. */
export function needed<Fault>(fault: Fault | undefined, name: string): Fault {
  assert.ok(fault !== undefined, `this registry cannot suffer: ${name}`)
  return fault
}
